import { expect, test } from 'vitest';
import { runNow } from '../../event-loop/task.ts';
import type { NodeDocument } from '../plans/contract.ts';
import { type SimulationOptions, simulate } from './simulate.ts';
import { sceneOfDocument } from './simulation-scene.ts';

const start = '2026-01-01T09:00:00.000Z';
const after = (minutes: number) => new Date(Date.parse(start) + minutes * 60_000).toISOString();

const node = (id: string, estimateMinutes: number | null, ...dependsOn: string[]): NodeDocument => ({
  id,
  estimateMinutes,
  dependsOn,
  binding: { kind: 'issue', issue: 'acme/shop#1' },
});

const play = (nodes: NodeDocument[], options: SimulationOptions = {}) =>
  runNow(simulate(sceneOfDocument({ plan: 'shop', nodes }, start), options));

/** A long node and three short ones lead to a last one. */
const fanIn = [node('long', 90), node('a', 30), node('b', 30), node('c', 30), node('last', 10, 'long', 'a', 'b', 'c')];

test('a plan ends when its critical path does, and the long node is the one to split first', () => {
  const result = play(fanIn, { agents: 4 });
  expect(result.endsAt).toBe(after(100));
  expect(result.path.map(({ ref, waitedMinutes }) => [ref, waitedMinutes])).toEqual([
    ['shop/long', 0],
    ['shop/last', 0],
  ]);
  expect(result.splits[0]).toMatchObject({ ref: 'shop/long', endsAt: after(70), savesMinutes: 30 });
});

test('idle agents are counted from when to when', () => {
  const result = play(fanIn, { agents: 4 });
  expect(result.idle).toEqual([{ from: after(30), to: after(100), agents: 3 }]);
  expect(result.idleMinutes).toBe(210);
});

test('a fleet of another size ends sooner or later, up to the size from which more agents change nothing', () => {
  expect(play(fanIn, { agents: 2 }).fleets).toEqual([
    { agents: 1, endsAt: after(190), idleMinutes: 0 },
    { agents: 2, endsAt: after(100), idleMinutes: 10 },
    { agents: 4, endsAt: after(100), idleMinutes: 210 },
  ]);
});

test('agents take first what unblocks the most, as claim_next hands it out', () => {
  const nodes = [node('alone', 60), node('root', 60), node('x', 60, 'root'), node('y', 60, 'root')];
  const [first] = play(nodes, { agents: 1 }).nodes;
  expect(first?.ref).toBe('shop/root');
});

test('a proof that takes its time keeps dependents waiting, and no agent', () => {
  const result = play([node('a', 30), node('b', 30), node('c', 30, 'a')], { agents: 1, proofMinutes: 60 });
  expect(result.nodes.map(({ ref, startsAt }) => [ref, startsAt])).toEqual([
    ['shop/a', after(0)],
    ['shop/b', after(30)],
    ['shop/c', after(90)],
  ]);
  expect(result.endsAt).toBe(after(180));
});

test('the same seed gives the same result, and tries that fail cost time', () => {
  const options = { agents: 2, failing: 0.3, seed: 7 };
  const result = play(fanIn, options);
  expect(play(fanIn, options)).toEqual(result);
  expect(result.likely?.plays).toBeGreaterThan(5);
  expect(result.likely?.endsBy90 ?? '').toBe(play(fanIn, options).likely?.endsBy90);
  expect(Date.parse(result.likely?.endsBy90 ?? '')).toBeGreaterThan(
    Date.parse(play(fanIn, { agents: 2 }).endsAt ?? ''),
  );
});

test('what failed waits for its back-off, and what failed too often is left to a person', () => {
  const retried = play([node('a', 1)], { agents: 1, failing: 0.5, seed: 3 });
  // One minute each, and a wait of 30 s, 1 min, 2 min ... before the next.
  const ends = [1, 2.5, 4.5, 7.5, 12.5].map(after);
  expect(ends).toContain(retried.endsAt);
  const parked = play([{ ...node('a', 1), maxAttempts: 1 }], { agents: 1, failing: 0.95 });
  expect(parked).toMatchObject({ endsAt: null, stuck: [{ ref: 'shop/a' }] });
});

test('a node that waits for something missing is named, and the plan does not end', () => {
  const result = play([node('a', 30), node('b', 30, 'nothing'), node('c', 30, 'b')]);
  expect(result.endsAt).toBeNull();
  expect(result.stuck).toEqual([
    { ref: 'shop/b', status: 'blocked', waitsFor: ['nothing'] },
    { ref: 'shop/c', status: 'blocked', waitsFor: ['b'] },
  ]);
});

test('assumptions are listed: minutes without an estimate, and nodes that nothing can prove', () => {
  const result = play([node('a', null), { id: 'b' }], { agents: 2, minutes: 30 });
  expect(result).toMatchObject({
    endsAt: after(30),
    workMinutes: 60,
    assumed: { minutes: 30, withoutEstimate: 2, withoutProof: 1 },
  });
});

test('a plan without open nodes ends at once', () => {
  expect(play([])).toMatchObject({ endsAt: start, openNodes: 0, path: [], fleets: [{ agents: 4, endsAt: start }] });
});
