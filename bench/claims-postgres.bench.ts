import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createCluster } from '../tests/postgres/cluster.ts';
import type { Contender } from './peers/contender.ts';
import { openOurs } from './peers/ours.ts';
import { openSkipLocked } from './peers/queues.ts';
import { install } from './peers/scratch.ts';

// Claims and releases of 64 agents on PostgreSQL beside a table with SKIP LOCKED, in turns on the same server, and where
// the time of ours goes: what each pair costs the service, the database and the disk.
const agents = Number(process.env.SIGNALBOX_AGENTS ?? 64);
const rounds = Number(process.env.SIGNALBOX_ROUNDS ?? 7);
const roundMs = 1_500;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-claims-postgres-'));
chmodSync(folder, 0o755);
const why = install('pg');
if (why !== undefined) throw new Error(why);
const cluster = await createCluster(join(folder, 'postgres'), [
  'max_connections=300',
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=all',
  'track_wal_io_timing=on',
]);
await cluster.start();
const admin = new pg.Client({ connectionString: cluster.url('postgres') });
await admin.connect();
for (const name of ['ours', 'byhand']) await admin.query(`CREATE DATABASE ${name}`);
const ours = await openOurs(2_000, { Service__Store: cluster.url('ours') }, 'Signalbox on PostgreSQL');
const byHand = await openSkipLocked(cluster.url('byhand'));
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const flushes = async () =>
  Number((await admin.query(`SELECT sum(fsyncs) AS n FROM pg_stat_io WHERE object = 'wal'`)).rows[0].n);

async function round(contender: Contender): Promise<{ perSecond: number; flushes: number }> {
  const [before, started] = [await flushes(), performance.now()];
  const jobs = await contender.round(agents, roundMs);
  const ms = performance.now() - started;
  return { perSecond: (jobs * 1000) / ms, flushes: ((await flushes()) - before) / jobs };
}

const results: { mine: number; theirs: number; mineFlushes: number; theirFlushes: number }[] = [];
for (let turn = 0; turn <= rounds; turn += 1) {
  const [mine, theirs] = [await round(ours), await round(byHand)];
  if (turn > 0)
    results.push({
      mine: mine.perSecond,
      theirs: theirs.perSecond,
      mineFlushes: mine.flushes,
      theirFlushes: theirs.flushes,
    });
}
const of = (read: (one: (typeof results)[number]) => number) => median(results.map(read));
console.log(
  `${agents} agents, jobs a second (claimed, released; both durable before the answer), medians of ${rounds}:`,
);
console.log(`ours ${of(({ mine }) => mine).toFixed(0)}, by hand ${of(({ theirs }) => theirs).toFixed(0)}`);
console.log(`ratio, paired: ${of(({ mine, theirs }) => mine / theirs).toFixed(2)}`);
console.log(
  `flushes a job: ours ${of((one) => one.mineFlushes).toFixed(3)}, by hand ${of((one) => one.theirFlushes).toFixed(3)}`,
);
await ours.close();
await byHand.close();
await admin.end();
await cluster.stop();
rmSync(folder, { recursive: true });
