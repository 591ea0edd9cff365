import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../packages/service/src/app/system-clock.ts';
import type { Synchronous } from '../packages/service/src/store/sqlite/sqlite-ledger.ts';
import { openSqliteLog } from '../packages/service/src/store/sqlite/sqlite-log.ts';

// Durable appends of 64 clients over HTTP with synchronous=FULL against OFF: rounds of both interleaved, medians
// compared. The kernel counts the flushes, with FULL alone:
//   strace -f -c -e trace=fdatasync,fsync node bench/append.bench.ts --full-only
const roundMs = 400;
const rounds = 9;
const fullOnly = process.argv.includes('--full-only');

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const clients = new Worker(new URL('./append-clients.ts', import.meta.url));

async function serve(synchronous: Synchronous) {
  const log = openSqliteLog({ path: join(folder, `${synchronous}.sqlite`), clock: systemClock, synchronous });
  const server = createServer(async (request, response) => {
    const data = { id: 'n', agent: 'ada', expiresAt: log.now() };
    const append = [{ stream: `claim:plan${request.url}`, events: [{ type: 'node_claimed', data, by: 'ada' }] }];
    await log.commit(() => ({ append, answer: () => null }));
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { log, server, port: (server.address() as AddressInfo).port, perSecond: [] as number[] };
}

type Side = Awaited<ReturnType<typeof serve>>;

async function round({ port, log, perSecond }: Side): Promise<void> {
  const before = log.stats().appends;
  const start = performance.now();
  await new Promise((resolve) => {
    clients.once('message', resolve);
    clients.postMessage({ port, ms: roundMs });
  });
  perSecond.push((log.stats().appends - before) / ((performance.now() - start) / 1000));
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const full = await serve('FULL');
const off = await serve('OFF');
const sides = fullOnly ? [full] : [full, off];
for (let number = 0; number <= rounds; number += 1) {
  for (const side of number % 2 === 0 ? sides : sides.toReversed()) await round(side);
}
// The first round of each runs with cold files and code.
for (const { perSecond } of sides) perSecond.shift();

for (const side of sides) {
  const { commits, appends } = side.log.stats();
  const name = side === full ? 'FULL' : 'OFF ';
  const rate = `${Math.round(median(side.perSecond))} appends/s`;
  console.log(
    `synchronous=${name} ${rate}, ${commits} COMMITs for ${appends} appends (${(commits / appends).toFixed(3)})`,
  );
}
if (!fullOnly)
  console.log(`FULL / OFF = ${(median(full.perSecond) / median(off.perSecond)).toFixed(2)} (goal: at least 0.80)`);

await clients.terminate();
for (const { server, log } of [full, off]) {
  server.closeAllConnections();
  server.close();
  await log.close();
}
rmSync(folder, { recursive: true });
