import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../packages/service/src/app/system-clock.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { createPlan, serveWork } from './serve-work.ts';
import { documentsOf, graphOf, seeded } from './shapes.ts';

// GET /api/plans/ready?limit=50 over 10,000 nodes in 100 plans against a bare server that sends the same bytes, rounds of
// both interleaved in one process, medians compared.
const rounds = 15;
const asksPerRound = 60;

const log = createMemoryLog(systemClock);
const graph = graphOf('plans', 10_000, seeded(7));
for (const [plan, nodes] of documentsOf('plans', graph)) await createPlan(log, plan, nodes);

const { app, port: ours } = await serveWork(log);

const wire = new Agent({ keepAlive: true, maxSockets: 1 });
const path = '/api/plans/ready?limit=50';
const ask = (port: number) =>
  new Promise<Buffer>((resolve, reject) => {
    const sent = request({ agent: wire, host: '127.0.0.1', port, path }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve(Buffer.concat(parts)));
    });
    sent.on('error', reject).end();
  });

const bytes = await ask(ours);
const bare = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
  response.end(bytes);
});
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
const theirs = (bare.address() as AddressInfo).port;

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const times = { ours: [] as number[], bare: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  for (const [name, port] of [
    ['ours', ours],
    ['bare', theirs],
  ] as const) {
    for (let count = 0; count < asksPerRound; count += 1) {
      const start = performance.now();
      await ask(port);
      // The first rounds warm up.
      if (round >= 3) times[name].push(performance.now() - start);
    }
  }
}
const [mine, floor] = [median(times.ours), median(times.bare)];
console.log(
  `ready?limit=50 over 10,000 nodes, ${bytes.length} bytes: ${mine.toFixed(3)} ms, bare server ${floor.toFixed(3)} ms, ratio ${(mine / floor).toFixed(2)}`,
);
wire.destroy();
bare.close();
await app.close();
await log.close();
