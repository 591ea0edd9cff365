import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import { noteExpired } from '../../packages/service/src/coordination/work/expiry.ts';
import type { AnyCommand } from '../../packages/service/src/kernel/command.ts';
import { dispatch } from '../../packages/service/src/kernel/dispatch.ts';
import type { EventLog } from '../../packages/service/src/kernel/event-log.ts';
import { isRefusal } from '../../packages/service/src/kernel/outcome.ts';
import { createLedgerLog } from '../../packages/service/src/store/group-commit.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { type InMemoryWork, openInMemoryWork } from '../coordination/in-memory-work.ts';
import { type Random, randomOf } from '../random.ts';
import { Disk, fates, openLedger } from './disk.ts';
import {
  type Ask,
  failedOf,
  fresh,
  type Model,
  type ModelAnswer,
  maxAttempts,
  partsOf,
  step,
  waitsFor,
} from './model.ts';

const names = ['a', 'b', 'c'];
const agents = ['ada', 'bob', 'eve'];
const unavailable = 'store_unavailable';
/** Two of them use the same resource, spelled differently. */
const usesOf = (id: string) => (id === 'a' ? { uses: ['db:dev'] } : id === 'c' ? { uses: ['DB:dev', 'port:1'] } : {});

type World = { disk: Disk; model: Model; wall: number; random: Random; keys: number; counts: Counts };
export type Counts = { asks: number; flushes: number; restarts: number; refused: number; replays: number };
/** One life of the service: from a start to a crash, or to the end of the story. */
type Life = { trial: InMemoryWork; now: () => number };

/** Plays one story from its seed. Throws, with the seed, if the service and the model disagree. */
export async function simulate(seed: number, turns = 30): Promise<Counts> {
  const random = randomOf(seed);
  const counts = { asks: 0, flushes: 0, restarts: 0, refused: 0, replays: 0 };
  const world: World = {
    disk: new Disk(),
    model: fresh(names),
    wall: Date.UTC(2026, 0, 1, 9),
    random,
    keys: 0,
    counts,
  };
  const nodes = names.map((id, at) => ({
    id,
    binding: { kind: 'signOff' },
    ...(at === names.length - 1 && { priority: 'urgent' }),
    ...usesOf(id),
  }));
  let life = await live(world);
  await life.trial.call('create_plan', { document: { plan: 'p', maxAttempts, nodes } });
  world.disk.fateOf = fates(random);
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      passTime(world, life);
      const asked = await ask(world, life);
      if (!world.disk.alive || world.disk.last === 'broken' || random.chance(0.02)) {
        life = await restart(world, life);
        await askAgain(world, life, asked);
      }
      await agree(world, life);
    }
    await agree(world, await restart(world, life));
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
  }
  counts.flushes = world.disk.events.length;
  return counts;
}

async function live(world: World): Promise<Life> {
  Object.assign(world.disk, { alive: true, last: 'good', full: false });
  const clock = createSettableClock(world.wall);
  const log = createLedgerLog(openLedger(world.disk), clock);
  const made = await openInMemoryWork({ clock, log });
  Object.assign(made.ctx, { idempotency: { inProgress: new Map(), digest: (text: string) => text } });
  // The wall clock may jump; the service uses the wall time at its start and a clock that only goes forward.
  const opened = world.wall;
  return { trial: made, now: () => opened + clock.monotonic() };
}

/** Everything that was not on the disk is gone; the wall clock may have any time. */
async function restart(world: World, life: Life): Promise<Life> {
  world.counts.restarts += 1;
  const before = life.now();
  world.wall = before + (world.random.chance(0.3) ? Math.floor((world.random.next() - 0.5) * 7_200_000) : 0);
  const next = await live(world);
  await lookAtLapsed(world, next, before);
  return next;
}

/** An expired lease is valid again if the clock was set back, unless its end was recorded: both are right, for one holder. */
async function lookAtLapsed(world: World, { trial, now }: Life, before: number): Promise<void> {
  const { nodes } = await trial.call('plan_status', { plan: 'p' });
  for (const { id, claimedBy } of nodes) {
    const node = world.model[id];
    const { lease } = node ?? { lease: null };
    if (node && lease && lease.until <= before && lease.until > now() && claimedBy === null)
      world.model = { ...world.model, [id]: { ...node, lease: null, failed: node.failed + (lease.excused ? 0 : 1) } };
  }
}

function passTime({ random, disk }: World, { trial: { clock } }: Life): void {
  if (random.chance(0.7)) clock.advance(random.pick([0, 1, 500, 30_000, 59_999, 60_000, 60_001, 600_000]));
  if (random.chance(0.1)) clock.setWall(clock.wall() + (random.next() - 0.5) * 7_200_000);
  if (disk.full && random.chance(0.5)) disk.full = false;
}

type Asked = { ask: Ask; key: string | undefined; told: ModelAnswer | undefined };

function someAsk({ random, model }: World): Ask {
  const kind = random.pick<Ask['do']>([
    'claim',
    'claim',
    'next',
    'next',
    'report',
    'report',
    'release',
    'release',
    'split',
    'reset',
    'add',
    'remove',
    'signOff',
  ]);
  const node = random.pick(kind === 'add' || kind === 'split' ? names : [...names, ...names.flatMap(partsOf)]);
  const ask: Ask = { do: kind, node, agent: random.pick(agents) };
  if (random.chance(0.4)) ask.minutes = random.pick([0.5, 1, 10]);
  if (random.chance(0.3)) ask.fence = (model[node]?.fence ?? 0) - random.below(2);
  if (random.chance(0.5)) ask.note = `note ${random.below(9)}`;
  if (kind === 'release' && random.chance(0.6)) ask.outcome = random.pick(['submitted', 'failed']);
  if (kind === 'remove') ask.force = random.chance(0.3);
  return ask;
}

/** Several clients at once; the model handles them in the order in which they were decided. */
async function ask(world: World, life: Life): Promise<Asked[]> {
  const asks = Array.from({ length: 1 + world.random.below(5) }, () => someAsk(world));
  if (world.random.chance(0.2)) void noteExpired(life.trial.ctx).catch(() => undefined);
  const asked = asks.map((one): Asked => {
    const key = world.random.chance(0.3) ? `key-${world.keys++}` : undefined;
    return { ask: one, key, told: undefined };
  });
  const decided: Asked[] = [];
  const answers = new Map<Asked, ModelAnswer>();
  const sending = asked.map(async (one) => answers.set(one, await send(life, one, () => decided.push(one))));
  await Promise.all(sending);
  world.counts.asks += asks.length;
  const now = life.now();
  // A dead process has answered nobody; the disk shows what happened to the requests.
  const kept = world.disk.alive ? undefined : world.disk.last === 'keeps';
  // A request that was refused before any decision saw the state before all of them.
  const inOrder = new Set([...asked.filter((one) => !decided.includes(one)), ...decided]);
  for (const one of inOrder) {
    const told = answers.get(one) as ModelAnswer;
    const expected = step(world.model, one.ask, now);
    if (kept === undefined && told !== unavailable) {
      if (told !== expected.told)
        throw new Error(`${JSON.stringify(one.ask)} at ${now}: told ${told}, not ${expected.told}`);
      one.told = told;
    } else world.counts.refused += 1;
    if (kept ?? told !== unavailable) world.model = expected.next;
    if (kept) one.told = expected.told;
  }
  return asked;
}

/** A client without an answer repeats the request with the same key: it was executed once, or it is executed now, never twice. */
async function askAgain(world: World, life: Life, asked: readonly Asked[]): Promise<void> {
  for (const one of asked) {
    const { key, told } = one;
    if (key === undefined || told === undefined || !/^(added|removed|signed)/.test(told)) continue;
    world.counts.replays += 1;
    const fate = world.disk.fateOf;
    world.disk.fateOf = () => 'good';
    const again = await send(life, one);
    world.disk.fateOf = fate;
    if (again !== told) throw new Error(`${JSON.stringify(one)} again under its key: told ${again}`);
  }
}

/** `onDecided` is called whenever the log asks for the decision; that is the order the service has chosen. */
async function send({ trial: { ctx } }: Life, { ask, key }: Asked, onDecided?: () => void): Promise<ModelAnswer> {
  const [name, input] = commandOf(ask);
  const command = coordinationCommands.find((one) => one.name === name) as AnyCommand<never>;
  const commit: EventLog['commit'] = (decide, guard) =>
    ctx.log.commit((now) => {
      onDecided?.();
      return decide(now);
    }, guard);
  const on = { ...ctx, log: { ...ctx.log, commit } };
  const answer = (await dispatch(command, on as never, input, { transport: 'direct', key })) as Record<string, string>;
  if (isRefusal(answer)) return answer.code;
  const { heldBy, heldUntil = '', expiresAt = '', fence } = answer;
  if (answer.reason) return 'nothing';
  const chosen = ask.do === 'next' ? `${(answer.node as unknown as { id: string }).id} ` : '';
  if (heldBy) return `held ${heldBy} ${Date.parse(heldUntil)}`;
  if (fence) return `${chosen}claimed ${fence} ${Date.parse(expiresAt)}`;
  if (answer.reported) return `reported ${Date.parse(expiresAt)}`;
  if ('released' in answer) return `released ${answer.released}`;
  return words[ask.do] ?? '';
}

const words: Partial<Record<Ask['do'], string>> = {
  add: 'added',
  remove: 'removed',
  signOff: 'signed',
  split: 'split',
  reset: 'reset',
};

function commandOf(ask: Ask): [name: string, input: object] {
  const { node, agent, minutes, fence, note, outcome } = ask;
  const at = { plan: 'p', node };
  const length = minutes === undefined ? {} : { leaseMinutes: minutes };
  const fenced = { ...at, agent, ...(fence !== undefined && { fence }) };
  switch (ask.do) {
    case 'claim':
      return ['claim_node', { ...at, agent, ...length }];
    case 'report':
      return ['report_node', { ...fenced, ...length, ...(note && { note }) }];
    case 'release':
      return ['release_node', { ...fenced, ...(outcome && { outcome }) }];
    case 'next':
      return ['claim_next', { agent, ...length }];
    case 'split':
      return ['split_node', { ...fenced, nodes: partsOf(node).map((id) => ({ id, binding: { kind: 'signOff' } })) }];
    case 'reset':
      return ['reset_node', at];
    case 'add': {
      const urgent = node === names.at(-1) ? { priority: 'urgent' } : {};
      return ['add_node', { plan: 'p', id: node, binding: { kind: 'signOff' }, ...urgent, ...usesOf(node) }];
    }
    case 'remove':
      return ['remove_node', { ...at, force: ask.force ?? false }];
    case 'signOff':
      return ['sign_off_node', { ...at, by: 'boss' }];
  }
}

type ReadNode = {
  id: string;
  status: string;
  claim: { note: string; fence: number } | null;
  claimedBy: string | null;
  attempts: { failed: number };
};

/** Everything that can be read about the nodes matches the model. */
async function agree(world: World, { trial: { call }, now }: Life): Promise<void> {
  const status = await call('plan_status', { plan: 'p' });
  const at = now();
  const read = Object.fromEntries(
    status.nodes.map(({ id, status: word, claim, claimedBy, attempts }: ReadNode) => {
      // Failures before a node was done do not matter.
      const failed = word === 'done' ? '-' : attempts.failed;
      return [id, `${word} ${claimedBy} ${claim?.fence ?? '-'} ${claim?.note ?? '-'} ${failed}`];
    }),
  );
  for (const [name, node] of Object.entries(world.model)) {
    const { lease, done, there, handedIn } = node;
    const live = lease !== null && lease.until > at ? lease : null;
    const word = done
      ? 'done'
      : live
        ? 'claimed'
        : handedIn
          ? 'submitted'
          : waitsFor(world.model, node)
            ? 'blocked'
            : 'ready';
    const failed = done ? '-' : failedOf(node, at);
    const expected = there
      ? `${word} ${live?.agent ?? null} ${live?.fence ?? '-'} ${live?.note ?? '-'} ${failed}`
      : undefined;
    if (read[name] !== expected) throw new Error(`${name} reads ${read[name]}, not ${expected}`);
  }
}
