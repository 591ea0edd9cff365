import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../packages/service/src/app/system-clock.ts';
import { openPostgresLog } from '../packages/service/src/store/postgres/postgres-log.ts';
import { createCluster } from '../tests/postgres/cluster.ts';

// Durable appends of 64 callers in one process on PostgreSQL with fsync: each on its own stream (one statement for
// all), and all on one stream (one statement each).
const callers = 64;
const roundMs = 2000;

const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const cluster = await createCluster(folder);
await cluster.start();
const log = await openPostgresLog({ url: cluster.url('postgres'), clock: systemClock });

async function round(title: string, streamOf: (caller: number) => string): Promise<void> {
  const before = log.stats();
  const start = performance.now();
  const call = async (_: unknown, caller: number) => {
    const append = [{ stream: streamOf(caller), events: [{ type: 'node_claimed', data: { id: 'n' }, by: 'ada' }] }];
    while (performance.now() - start < roundMs) await log.commit(() => ({ append, answer: () => null }));
  };
  await Promise.all(Array.from({ length: callers }, call));
  const seconds = (performance.now() - start) / 1000;
  const after = log.stats();
  const [commits, appends] = [after.commits - before.commits, after.appends - before.appends];
  const rate = Math.round(appends / seconds);
  console.log(`${title}: ${rate} appends/s, ${(commits / appends).toFixed(3)} statements per append`);
}

await round('64 callers, 64 streams', (caller) => `claim:plan/${caller}`);
await round('64 callers, one stream', () => 'plan:plan');

await log.close();
await cluster.stop();
rmSync(folder, { recursive: true });
