import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { systemClock } from '../../../packages/service/src/app/system-clock.ts';
import { isRefusal } from '../../../packages/service/src/kernel/outcome.ts';
import { openPostgresLog, type PostgresLog } from '../../../packages/service/src/store/postgres/postgres-log.ts';
import type { SettableClock } from '../../../testing/settable-clock.ts';
import { type InMemoryWork, openInMemoryWork } from '../../coordination/in-memory-work.ts';
import { type CuttingProxy, openCuttingProxy } from '../../postgres/cutting-proxy.ts';
import { type Dump, dump, restoreInPlace, withClient } from '../../postgres/dump.ts';
import { type Random, randomOf } from '../../random.ts';
import { type Ask, fresh, type Model, type Node, step } from '../../simulation/model.ts';

const names = ['a', 'b', 'c'];
const agents = ['ada', 'bob', 'eve'];
const unavailable = 'store_unavailable';
/** The time within which every board must show what the database holds. */
const settleMs = 2_000;
/** For a machine that is slow at this moment: this many times the duration of a bare connection, which is 5 to 10 ms on an idle machine. */
const settleConnections = 40;

type Host = { proxy: CuttingProxy; log: PostgresLog; work: InMemoryWork; blocked: boolean };
export type HistoryCounts = { asks: number; refused: number; restores: number; cuts: number; changes: number };
type World = {
  url: string;
  admin: pg.Client;
  random: Random;
  hosts: Host[];
  dumps: Dump[];
  /** Who was granted a node with which fence, over all histories. */
  granted: Map<string, string>;
  counts: HistoryCounts;
};

/** Plays one story of restores and cut connections from its seed, on that database only. */
export async function simulateHistories(seed: number, url: string, turns = 16): Promise<HistoryCounts> {
  const world = await openWorld(randomOf(seed), url);
  try {
    for (let turn = 0; turn < turns; turn += 1) await act(world);
    await settle(world);
    world.counts.changes = world.hosts.reduce((sum, { log }) => sum + log.following().epochChanges, 0);
    return world.counts;
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
  } finally {
    for (const { log } of world.hosts) await log.close();
    for (const { proxy } of world.hosts) await proxy[Symbol.asyncDispose]();
    await world.admin.end();
  }
}

async function openWorld(random: Random, url: string): Promise<World> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const isolation = random.pick(['read committed', 'repeatable read', 'serializable']);
  const database = new URL(url).pathname.slice(1);
  await admin.query(`ALTER DATABASE ${database} SET default_transaction_isolation = '${isolation}'`);
  await admin.query('TRUNCATE signalbox.events, signalbox.remembered');
  await admin.query('UPDATE signalbox.head SET sequence = 0, epoch = gen_random_uuid()');
  const hosts: Host[] = [];
  for (const _ of ['one', 'two']) {
    const proxy = await openCuttingProxy();
    const log = await openLog(proxy.through(url));
    hosts.push({
      proxy,
      log,
      work: await openInMemoryWork({ clock: systemClock as SettableClock, log }),
      blocked: false,
    });
  }
  await createPlan(hosts[0] as Host);
  const counts = { asks: 0, refused: 0, restores: 0, cuts: 0, changes: 0 };
  return { url, admin, random, hosts, dumps: [await dump(url)], granted: new Map(), counts };
}

/** On a busy machine an answer may take longer than a host waits. */
async function createPlan(host: Host, tries = 10): Promise<void> {
  const answer = await host.work.call('create_plan', { document: { plan: 'p', nodes: names.map((id) => ({ id })) } });
  // Not confirmed the first time, but written.
  if (!isRefusal(answer) || answer.code === 'plan_exists') return;
  if (answer.code !== unavailable || tries === 0) throw new Error(`no plan to begin with: ${answer.detail}`);
  await pause(100);
  return createPlan(host, tries - 1);
}

/** On a busy machine a connection may take longer than a host waits. */
async function openLog(url: string, tries = 10): Promise<PostgresLog> {
  try {
    return await openPostgresLog({ url, clock: systemClock });
  } catch (fault) {
    if (tries === 0) throw fault;
    return openLog(url, tries - 1);
  }
}

async function act(world: World): Promise<void> {
  const { random, hosts, dumps, url } = world;
  const what = random.pick([
    'ask',
    'ask',
    'ask',
    'ask',
    'ask',
    'dump',
    'restore',
    'restore',
    'cut',
    'late',
    'block',
    'settle',
  ]);
  if (what === 'ask') await ask(world, random.pick(hosts));
  else if (what === 'dump') dumps.push(await dump(url));
  else if (what === 'restore') await during(world, () => restore(world));
  else if (what === 'cut') await during(world, async () => cut(world));
  else if (what === 'late') await writeLate(world, random.pick(hosts));
  else if (what === 'settle') await settle(world);
  else {
    const host = random.pick(hosts);
    host.blocked = !host.blocked;
    host.proxy.refuse(host.blocked);
    if (host.blocked) host.proxy.cut();
  }
}

async function restore({ random, dumps, url, counts }: World): Promise<void> {
  counts.restores += 1;
  await restoreInPlace(url, random.pick(dumps), random.chance(0.7));
}

function cut({ random, hosts, counts }: World): void {
  counts.cuts += 1;
  const { proxy } = random.pick(hosts);
  proxy.cutNextAfter(...Array.from({ length: random.below(4) }, () => random.below(9)));
  proxy.delay(random.pick([0, 0, 1, 5]));
  proxy.cut();
}

/** The statement waits in the database, its connection is cut, and it is written when nobody listens any more. */
async function writeLate(world: World, host: Host): Promise<void> {
  const { admin, random, counts } = world;
  counts.asks += 1;
  // Sets its own isolation level, whatever the database is set to.
  await admin.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  await admin.query('SELECT FROM signalbox.head FOR UPDATE');
  let isAnswered = false;
  const answer = send(host, someAsk(random)).then((told) => {
    isAnswered = true;
    if (told.word === 'claimed') throw new Error('a claim was granted that is not written');
  });
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (let looks = 0; looks < 100 && !isAnswered; looks += 1) {
    if ((await admin.query(waiting)).rowCount !== 0) break;
    await pause(10);
  }
  counts.cuts += 1;
  host.proxy.cut();
  await answer;
  await Promise.all([admin.query('COMMIT'), settle(world)]);
}

/** Something happens to the database while nobody calls, or everybody does: each answer must still belong to one holder. */
async function during(world: World, work: () => Promise<void>): Promise<void> {
  const { hosts, random, counts } = world;
  const asks = random.chance(0.5) ? hosts.map((host) => ({ host, asked: someAsk(random) })) : [];
  counts.asks += asks.length;
  const answers = Promise.all(
    asks.map(async ({ host, asked }) => {
      const told = await send(host, asked);
      if (told.word === 'claimed') grant(world, asked, told);
    }),
  );
  await work();
  await answers;
}

type Told = { word: string; fence: number | undefined; detail: string };

/** The answer must match the content of the database, whatever the host had folded. */
async function ask(world: World, host: Host): Promise<void> {
  const asked = someAsk(world.random);
  world.counts.asks += 1;
  const before = await modelIn(world.admin);
  const expected = step(before, asked, Date.now());
  const [word] = expected.told.split(' ');
  const told = await send(host, asked);
  if (told.word === unavailable) {
    world.counts.refused += 1;
    const after = readable(await modelIn(world.admin));
    const kept = told.detail.startsWith('Nothing') ? [before] : [before, expected.next];
    if (!kept.some((model) => readable(model) === after)) throw new Error(`${told.detail} left ${after}`);
  } else if (told.word !== word) {
    throw new Error(`${JSON.stringify(asked)} on ${readable(before)}: told ${told.word}, not ${word}`);
  } else if (word === 'claimed') grant(world, asked, told);
}

function grant({ granted }: World, { node, agent }: Ask, { fence }: Told): void {
  const key = `${node} ${fence}`;
  const holder = granted.get(key) ?? agent;
  if (holder !== agent) throw new Error(`${key} was given to ${holder} and to ${agent}`);
  granted.set(key, agent);
}

function someAsk(random: Random): Ask {
  const kind = random.pick<Ask['do']>(['claim', 'claim', 'claim', 'report', 'release']);
  return { do: kind, node: random.pick(names), agent: random.pick(agents), minutes: 1440 };
}

async function send({ work }: Host, { do: kind, node, agent, minutes }: Ask): Promise<Told> {
  const length = kind === 'release' ? {} : { leaseMinutes: minutes };
  const answer = await work.call(`${kind}_node`, { plan: 'p', node, agent, ...length });
  if (isRefusal(answer)) return { word: answer.code, fence: undefined, detail: answer.detail };
  const word = answer.heldBy ? 'held' : kind === 'claim' ? 'claimed' : kind === 'report' ? 'reported' : 'released';
  return { word, fence: answer.fence, detail: '' };
}

/** The model according to the events in the database, read only by this code. */
async function modelIn(admin: pg.Client): Promise<Model> {
  const { rows } = await admin.query('SELECT stream, type, data FROM signalbox.events ORDER BY sequence');
  const model = fresh(names);
  for (const { stream, type, data } of rows) {
    const node = model[String(stream).replace('claim:p/', '')] as Node | undefined;
    if (!node) continue;
    const { agent, fence, expiresAt, leaseMinutes: minutes } = data;
    const until = Date.parse(expiresAt);
    if (type === 'node_claimed') Object.assign(node, { fence, lease: { agent, fence, until, minutes, note: null } });
    else if (type === 'claim_released') node.lease = null;
  }
  return model;
}

/** Without fences and ends of leases, which the model cannot know to the millisecond. */
const readable = (model: Model): string => names.map((name) => `${name}:${model[name]?.lease?.agent ?? '-'}`).join(' ');

/** Every connection is allowed again, and soon every host shows what the database holds. */
async function settle({ hosts, admin, random, url }: World): Promise<void> {
  for (const host of hosts) {
    host.blocked = false;
    host.proxy.refuse(false);
    host.proxy.delay(0);
    host.proxy.cutNextAfter();
  }
  const began = performance.now();
  const elapsed = () => performance.now() - began;
  const isTooLate = async () => elapsed() > settleMs && elapsed() > settleConnections * (await connectionMs(url));
  for (const { work, log } of hosts) {
    for (;;) {
      // Read again each time: data sent on a cut connection may still be written.
      const wanted = readable(await modelIn(admin));
      const { nodes } = await work.call('plan_status', { plan: 'p' });
      const shown = nodes
        .map((node: { id: string; claimedBy: string | null }) => `${node.id}:${node.claimedBy ?? '-'}`)
        .join(' ');
      if (log.following().staleSince === null && shown === wanted) break;
      if (await isTooLate()) throw new Error(`shows ${shown}, not ${wanted}: ${JSON.stringify(log.following())}`);
      await pause(10);
    }
    await expectSameHistory(log, admin, isTooLate);
  }
  random.next();
}

/** How long it takes now to connect to the database and get an answer. */
async function connectionMs(url: string): Promise<number> {
  const began = performance.now();
  await withClient(url, (client) => client.query('SELECT'));
  return performance.now() - began;
}

/**
 * An answer about a plan matches the database at some moment during the call: data sent on cut connections may be
 * written meanwhile. A host without a connection answers with what it knew, and since when; that may be older, or from
 * a history that was replaced meanwhile. Then it is asked again.
 */
async function expectSameHistory(log: PostgresLog, admin: pg.Client, isTooLate: () => Promise<boolean>): Promise<void> {
  const held = async () => (await admin.query('SELECT id FROM signalbox.events ORDER BY sequence')).rows;
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).join();
  const isStale = () => log.following().staleSince !== null;
  for (;;) {
    const before = idsOf(await held());
    const wasStale = isStale();
    const answer = await log.readTopic('plan:p').catch(() => undefined);
    if (!answer) return;
    const mayBeOld = wasStale || isStale();
    const told = idsOf(answer);
    const after = idsOf(await held());
    if (after.startsWith(told) && told.startsWith(before)) return;
    if (!mayBeOld || (await isTooLate()))
      throw new Error(
        `tells another history: ${told}, not one between ${before} and ${after}: ${JSON.stringify(log.following())}`,
      );
    await pause(10);
  }
}
