import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../../../packages/service/src/app/system-clock.ts';
import { type Cluster, createCluster } from '../../postgres/cluster.ts';
import { type CuttingProxy, openCuttingProxy } from '../../postgres/cutting-proxy.ts';
import { type Dump, dump, restoreInPlace, withClient } from '../../postgres/dump.ts';
import { rounds } from '../../rounds.ts';
import { type Started, start } from '../../start.ts';
import { boardsAgree } from './boards.ts';
import { type Claimers, grantedTwice, startClaimers } from './claimers.ts';

// The short form does each once; the long form does a hundred rounds.
const each = rounds(1, 17);
const nodes = ['a', 'b', 'c', 'd', 'e', 'f'];
const folder = mkdtempSync(join(tmpdir(), 'signalbox-history-'));
vi.setConfig({ testTimeout: 900_000 });
let cluster: Cluster;
let databases = 0;

beforeAll(async () => {
  cluster = await createCluster(folder, ['fsync=off']);
  await cluster.start();
});
afterAll(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Scene = AsyncDisposable & { url: string; hosts: Started[]; proxies: CuttingProxy[]; claimers: Claimers };

const run = (database: string, sql: string) => withClient(cluster.url(database), (client) => client.query(sql));

/** Three hosts, each with a proxy before the database, and agents that claim through all of them. */
async function scene(): Promise<Scene> {
  const name = `history_${++databases}`;
  await run('postgres', `CREATE DATABASE ${name}`);
  const url = cluster.url(name);
  const proxies = await Promise.all(['ada', 'bob', 'cyd'].map(openCuttingProxy));
  const hosts: Started[] = [];
  for (const [at, HostName] of ['ada', 'bob', 'cyd'].entries()) {
    const Store = proxies[at]?.through(url) ?? '';
    hosts.push(await start({ clock: systemClock, settings: { Store, HostName, LicenceGate: 'off' } }));
  }
  const made = await hosts[0]?.call('PUT', '/api/plans/race', { nodes: nodes.map((id) => ({ id })) });
  expect(made?.status).toBe(201);
  await boardsAgree(url, hosts);
  const claimers = startClaimers(hosts, nodes, 3);
  return {
    url,
    hosts,
    proxies,
    claimers,
    async [Symbol.asyncDispose]() {
      await claimers.stop();
      for (const host of hosts) await host[Symbol.asyncDispose]();
      for (const proxy of proxies) await proxy[Symbol.asyncDispose]();
    },
  };
}

/** Writes events that the dump does not have: claims, and a plan that must be gone everywhere afterwards. */
async function tail({ hosts, claimers }: Scene, round: number): Promise<void> {
  const before = claimers.granted.length;
  await hosts[round % 3]?.call('PUT', `/api/plans/tail-${round}`, { nodes: [{ id: 'x' }] });
  while (claimers.granted.length < before + 10) await pause(5);
}

async function agrees({ url, hosts, claimers }: Scene): Promise<void> {
  await claimers.hold();
  await boardsAgree(url, hosts);
  expect(grantedTwice(claimers.granted)).toEqual([]);
  for (const { call } of hosts) expect((await call('GET', '/api/plans/tail-0')).status).toBe(404);
  claimers.goOn();
}

type Restore = (scene: Scene, kept: Dump, round: number) => Promise<void>;

/** A dump, later events that it lacks, and a restore of the dump in some way while agents continue. */
async function restored(restore: Restore): Promise<void> {
  await using on = await scene();
  for (let round = 0; round < each; round += 1) {
    const kept = await dump(on.url);
    await tail(on, round);
    await restore(on, kept, round);
    await pause(100);
    await agrees(on);
  }
  for (const { call } of on.hosts) {
    const { text } = await call('GET', '/metrics');
    expect(Number(/^signalbox_store_epoch_changes_total (\d+)/m.exec(text)?.[1])).toBeGreaterThanOrEqual(each);
  }
}

test('a dump restored in place in one transaction is what every host goes on from', () =>
  restored((on, kept) => restoreInPlace(on.url, kept, true)));

test('a dump restored in place table by table is never seen half', () =>
  restored((on, kept) => restoreInPlace(on.url, kept, false, () => pause(60))));

test('hosts that were cut off during a restore continue from later writes of another host', () =>
  restored(async (on, kept) => {
    const away = on.proxies.slice(0, 2);
    for (const proxy of away) proxy.refuse(true);
    for (const proxy of away) proxy.cut();
    const sql = 'SELECT sequence::int AS head FROM signalbox.head';
    const head = async () => (await withClient(on.url, (client) => client.query(sql))).rows[0].head;
    const before = await head();
    await restoreInPlace(on.url, kept, true);
    while ((await head()) <= before) await pause(10);
    for (const proxy of away) proxy.refuse(false);
    await pause(400);
  }));

test('another database under the same address is what every host shows', () =>
  restored(async (on, kept, round) => {
    const name = new URL(on.url).pathname.slice(1);
    const other = `${name}_other_${round}`;
    await run('postgres', `CREATE DATABASE ${other}`);
    await restoreInPlace(cluster.url(other), kept, true);
    await run('postgres', `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await run('postgres', `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await pause(50);
    await run('postgres', `ALTER DATABASE ${name} RENAME TO ${other}_old`);
    await run('postgres', `ALTER DATABASE ${other} RENAME TO ${name}`);
    await pause(400);
  }));

test('a connection that is cut at each step of coming back never mixes two histories', () =>
  restored(async (on, kept, round) => {
    for (const proxy of on.proxies) proxy.delay(3);
    await restoreInPlace(on.url, kept, true);
    for (let step = 0; step < 8; step += 1) {
      for (const [at, proxy] of on.proxies.entries()) {
        proxy.cutNextAfter(step, (step + at + round) % 8, step);
        proxy.cut();
      }
      await pause(150);
    }
    for (const proxy of on.proxies) {
      proxy.cutNextAfter();
      proxy.delay(0);
    }
    await pause(400);
  }));
