import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../packages/service/src/app/system-clock.ts';
import type { Synchronous } from '../packages/service/src/store/sqlite/sqlite-ledger.ts';
import { openSqliteLog } from '../packages/service/src/store/sqlite/sqlite-log.ts';
import { createPlan, serveWork } from './serve-work.ts';

// Durable claims of 64 agents over HTTP with synchronous=FULL against OFF: rounds of both interleaved, medians compared.
const roundMs = 500;
const rounds = 9;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const clients = new Worker(new URL('./claim-clients.ts', import.meta.url));

async function serve(synchronous: Synchronous) {
  const log = openSqliteLog({ path: join(folder, `${synchronous}.sqlite`), clock: systemClock, synchronous });
  const { app, port } = await serveWork(log);
  await createPlan(
    log,
    'bench',
    Array.from({ length: 64 }, (_, node) => ({ id: `n${node}` })),
  );
  return { log, app, port, perSecond: [] as number[] };
}

const round = (port: number) =>
  new Promise<number>((resolve) => {
    clients.once('message', resolve);
    clients.postMessage({ port, ms: roundMs });
  });

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const sides = { FULL: await serve('FULL'), OFF: await serve('OFF') };
for (let count = 0; count < rounds + 1; count += 1) {
  for (const side of [sides.FULL, sides.OFF]) {
    const start = performance.now();
    const claims = await round(side.port);
    // The first round warms up.
    if (count > 0) side.perSecond.push((claims * 1000) / (performance.now() - start));
  }
}
const [full, off] = [median(sides.FULL.perSecond), median(sides.OFF.perSecond)];
console.log(
  `claims over HTTP, 64 agents: FULL ${full.toFixed(0)}/s, OFF ${off.toFixed(0)}/s, ratio ${(full / off).toFixed(2)}`,
);
for (const { app, log } of Object.values(sides)) {
  await app.close();
  await log.close();
}
await clients.terminate();
rmSync(folder, { recursive: true, force: true });
