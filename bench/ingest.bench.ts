import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import Fastify from 'fastify';
import { readConfig } from '../packages/service/src/app/config.ts';
import { startService } from '../packages/service/src/app/service.ts';

// Durable ingest of batches of 100 events over 8 connections: the whole service against a bare node:http server that
// parses, re-serialises and appends without flushing, and against Fastify with one row of SQLite per event. Rounds are
// interleaved; each ratio is the median of the rounds' own ratios.
const roundMs = 1500;
const rounds = 7;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
type Side = { name: string; port: number; perSecond: number[]; stop(): unknown };

async function signalbox(): Promise<Side> {
  const home = join(folder, 'home');
  const { config } = readConfig({ env: { PORT: '0,0', HOME: home, HOST: '127.0.0.1' }, args: [], cwd: folder, home });
  const service = await startService(config);
  return { name: 'signalbox', port: Number(new URL(service.console.url).port), perSecond: [], stop: service.stop };
}

async function bare(): Promise<Side> {
  const file = createWriteStream(join(folder, 'bare.ndjson'));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { events } = JSON.parse(Buffer.concat(chunks).toString()) as { events: object[] };
      file.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      response.writeHead(202, { 'content-type': 'application/json', 'content-length': 2 }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { name: 'node:http, no flush', port, perSecond: [], stop: () => void server.close() };
}

async function sqlite(): Promise<Side> {
  const database = new DatabaseSync(join(folder, 'rows.sqlite'));
  database.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE events (id INTEGER PRIMARY KEY, run TEXT, body TEXT)',
  );
  const insert = database.prepare('INSERT INTO events (run, body) VALUES (?, ?)');
  const app = Fastify({ bodyLimit: 8 * 1024 * 1024 });
  app.post('/api/ingest', async (request, reply) => {
    const { events } = request.body as { events: Array<{ runId: string }> };
    database.exec('BEGIN');
    for (const event of events) insert.run(event.runId, JSON.stringify(event));
    database.exec('COMMIT');
    return reply.code(202).send({});
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return { name: 'Fastify + SQLite', port, perSecond: [], stop: () => app.close() };
}

const clients = new Worker(new URL('./ingest-clients.ts', import.meta.url));
const round = (port: number) =>
  new Promise<number>((resolve) => {
    clients.once('message', resolve);
    clients.postMessage({ port, ms: roundMs });
  });
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const sides = [await signalbox(), await bare(), await sqlite()];
const [ours] = sides;
for (let number = 0; number <= rounds; number += 1) {
  for (const side of number % 2 === 0 ? sides : sides.toReversed()) side.perSecond.push(await round(side.port));
}
for (const { name, perSecond } of sides) {
  perSecond.shift();
  const ratios = ours?.perSecond.map((own, index) => own / (perSecond[index] ?? 1)) ?? [];
  const figures = `median ${Math.round(median(perSecond))} events/s, best ${Math.round(Math.max(...perSecond))}`;
  process.stdout.write(`${name.padEnd(22)} ${figures}, signalbox is ${median(ratios).toFixed(2)} times that\n`);
}
await clients.terminate();
for (const side of sides) await side.stop();
rmSync(folder, { recursive: true, force: true });
