import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createCluster } from '../tests/postgres/cluster.ts';
import { startedProcess } from '../tests/spawn.ts';
import { caller } from '../tests/start.ts';
import { openBareSockets } from './peers/bare-socket.ts';
import type { Contender } from './peers/contender.ts';
import { flushMs } from './peers/flush.ts';
import { openOurIngest, openRedisStreams, openRows, raceIngest } from './peers/ingest.ts';
import { openOurSockets, openOurs, openOurWorker } from './peers/ours.ts';
import { barsOf } from './peers/plot.ts';
import {
  openBullMq,
  openBullMqNative,
  openEtcd,
  openGraphile,
  openPgBoss,
  openRedis,
  openSkipLocked,
} from './peers/queues.ts';
import { install } from './peers/scratch.ts';
import { startEtcd, startRedis } from './peers/servers.ts';
import { backlog, taskMaster, tasksOf } from './peers/tools.ts';

// Signalbox compared with its alternatives on the same machine and disk at the same time: all take turns in every round.
const rounds = Number(process.env.SIGNALBOX_ROUNDS ?? 5);
const only = (process.env.SIGNALBOX_AGENTS ?? '').split(',').filter(Boolean).map(Number);
const roundMs = 1_500;
/** One of the alternatives once hung for ten minutes at the end of a round. */
const patienceMs = 120_000;
const workers = 64;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-peers-run-'));
// The database server runs as `nobody` if this runs as root.
chmodSync(folder, 0o755);
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const quantile = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;

const why = install('bullmq', 'ioredis', 'pg', 'pg-boss', 'graphile-worker', 'etcd3');
if (why !== undefined) console.log(why);
const redis = await startRedis(folder);
if (!redis) console.log('not measured here: Redis (redis-server is not installed)');
const etcd = await startEtcd(folder);
if (!etcd) console.log('not measured here: etcd (etcd is not installed)');
const cluster = await createCluster(join(folder, 'postgres'), ['max_connections=300']);
await cluster.start();

async function database(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: cluster.url('postgres') });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return cluster.url(name);
}

let contenders: Contender[] = [
  await openOurWorker(2_000),
  await openOurSockets(2_000),
  await openOurs(2_000),
  await openOurs(2_000, { Service__Store: await database('ours') }, 'Signalbox on PostgreSQL'),
  await openBareSockets(),
  ...(redis ? [await openBullMq(redis.port), await openBullMqNative(redis.port), await openRedis(redis.port)] : []),
  ...(etcd ? [await openEtcd(etcd.port)] : []),
  await openSkipLocked(await database('byhand')),
  await openPgBoss(await database('boss')),
  await openGraphile(await database('graphile')),
];

const ours = contenders.slice(0, 3);

async function race(count: number): Promise<void> {
  const perSecond = new Map(contenders.map((each) => [each, [] as number[]]));
  const claims = new Map(contenders.map((each) => [each, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const each of contenders) {
      const started = performance.now();
      const jobs = await Promise.race([each.round(count, roundMs), pause(patienceMs, undefined, { ref: false })]);
      if (jobs === undefined) {
        console.log(`left out: ${each.name} did not end a round within ${patienceMs / 1000} s`);
        contenders = contenders.filter((other) => other !== each);
      }
      if (jobs === undefined || round === 0) continue;
      const ms = each.claimMs.length > 0 ? performance.now() - started : roundMs;
      perSecond.get(each)?.push((jobs * 1000) / Math.min(ms, roundMs * 1.2));
      claims.get(each)?.push(...each.claimMs);
    }
  }
  const against = (mine: Contender | undefined, all: readonly number[]): string => {
    const ratios = all.map((value, index) => ((mine && perSecond.get(mine)?.[index]) ?? 0) / value);
    return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} - ${Math.max(...ratios).toFixed(2)})`;
  };
  console.log(`\n${count} agents: jobs a second (one job: claimed, released; both durable before the answer)`);
  console.log(`one flush of one row on this disk: ${flushMs(folder).toFixed(2)} ms`);
  console.log('| | median | range | claim p50 / p99 ms | worker / this | socket / this | HTTP / this |');
  console.log('|---|---|---|---|---|---|---|');
  for (const each of contenders) {
    const all = perSecond.get(each) ?? [];
    const took = claims.get(each) ?? [];
    const claim = took.length > 0 ? `${quantile(took, 0.5).toFixed(2)} / ${quantile(took, 0.99).toFixed(1)}` : '-';
    console.log(
      `| ${each.name} | ${median(all).toFixed(0)} | ${Math.min(...all).toFixed(0)} - ${Math.max(...all).toFixed(0)} | ${claim} | ${ours.map((mine) => against(mine, all)).join(' | ')} |`,
    );
  }
  const bars = contenders.map((each) => {
    const all = perSecond.get(each) ?? [];
    return { name: each.name, median: median(all), low: Math.min(...all), high: Math.max(...all) };
  });
  const title = `Jobs a second, ${count} ${count === 1 ? 'agent' : 'agents'}: median, and the range of ${rounds} rounds`;
  if (process.env.SIGNALBOX_PLOTS)
    writeFileSync(join(process.env.SIGNALBOX_PLOTS, `peers-${count}.svg`), barsOf(title, bars));
}

for (const count of only.length > 0 ? only : [1, workers]) await race(count);
for (const each of contenders) await each.close();

const keepers = [
  await openOurIngest(),
  ...(redis ? [await openRedisStreams(redis.port)] : []),
  await openRows(await database('rows')),
];
await raceIngest(keepers, rounds, roundMs);
await redis?.[Symbol.asyncDispose]();
await etcd?.[Symbol.asyncDispose]();
await cluster.stop();

console.log('\nThe next ready task: a running Signalbox over HTTP, the others as the commands they are');
console.log('| tasks | Signalbox, median of 50 | other | its time | ratio |\n|---|---|---|---|---|');
for (const count of [100, 1_000, 10_000]) {
  await using service = await startedProcess();
  const call = caller(service.url);
  const nodes = tasksOf(count).map(({ id, done, on }) => ({
    id: `t${id}`,
    binding: { kind: 'signOff' },
    labels: done ? ['done'] : [],
    dependsOn: on.map((other) => `t${other}`),
  }));
  await call('PUT', '/api/plans/bench', { nodes });
  const times: number[] = [];
  for (let ask = 0; ask < 60; ask += 1) {
    const started = performance.now();
    await call('GET', '/api/plans/ready?limit=10');
    if (ask >= 10) times.push(performance.now() - started);
  }
  for (const tool of [taskMaster, backlog]) {
    const told = tool.next(count, folder);
    const [time, ratio] =
      'why' in told
        ? [`not measured here: ${told.why}`, '-']
        : [`${told.ms.toFixed(0)} ms`, (told.ms / median(times)).toFixed(0)];
    console.log(`| ${count} | ${median(times).toFixed(2)} ms | ${tool.name} | ${time} | ${ratio} |`);
  }
}
rmSync(folder, { recursive: true, force: true });
