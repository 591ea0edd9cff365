import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { WorkState } from './work-state.ts';

const size = 6_000;
const id = (index: number) => `n${index}`;

/** Seeded: the same numbers every time. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

let sequence = 0;
function eventOf(stream: string, type: string, data: object): RecordedEvent {
  sequence += 1;
  const content = { sequence, stream, version: sequence, topic: stream, id: '', by: 'x', type, data };
  return { ...content, at: '2026-01-01T00:00:00.000Z', provenance: 'asserted' };
}

const edge = (kind: 'added' | 'removed', node: number, on: number) =>
  eventOf('plan:deep', `dependency_${kind}`, { node: id(node), on: id(on) });

function doneEvent(node: number): RecordedEvent {
  const seen = { id: id(node), from: 'open', to: 'closed', settled: 'closed', detail: '', url: null, runId: null };
  return eventOf(`evidence:deep/${id(node)}`, 'evidence_observed', seen);
}

/** A deep plan: each node waits for three of the hundred before it. */
function deepPlan(): RecordedEvent {
  const below = seeded(3);
  const nodes = Array.from({ length: size }, (_, index) => ({
    id: id(index),
    binding: { kind: 'issue', issue: 'a/b#1' },
    dependsOn: index === 0 ? [] : [...new Set([0, 1, 2].map(() => id(index - 1 - below(Math.min(index, 100)))))],
  }));
  return eventOf('plan:deep', 'plan_created', { document: { plan: 'deep', nodes }, source: 'api' });
}

/** Nodes are done in order, some are skipped; edges are added and removed again. */
function changes(count: number): RecordedEvent[] {
  const below = seeded(5);
  const added: [number, number][] = [];
  return Array.from({ length: count }, (_, step) => {
    if (step % 4 === 1) {
      const node = 200 + below(size - 200);
      added.push([node, node - 150 - below(40)]);
      return edge('added', ...(added.at(-1) as [number, number]));
    }
    const [node, on] = added[0] ?? [0, 0];
    if (step % 8 === 6 && added.shift()) return edge('removed', node, on);
    return doneEvent(step % 10 === 9 ? below(size) : step);
  });
}

const orderOf = ({ progress, plans }: WorkState) => progress.readyOrder().map((vertex) => plans.refOf(vertex));

function settled(events: readonly RecordedEvent[]): string[] {
  const workState = new WorkState();
  for (const event of events) workState.apply(event);
  workState.progress.settleOrder(Number.POSITIVE_INFINITY);
  return orderOf(workState);
}

test('an order that is counted in small steps between changes becomes the one that is counted at once', () => {
  const workState = new WorkState();
  const events = [deepPlan(), ...changes(120)];
  for (const [at, event] of events.entries()) {
    workState.apply(event);
    for (let step = 0; step < 5; step += 1) workState.progress.settleOrder(300);
    if (at % 20 !== 19) continue;
    const expected = settled(events.slice(0, at + 1));
    // The set of ready nodes is always right, even while counts are missing.
    expect(orderOf(workState).toSorted()).toEqual(expected.toSorted());
    while (!workState.progress.settleOrder(1_000));
    expect(orderOf(workState)).toEqual(expected);
  }
});

test('edits that keep coming do not keep the order from being counted', () => {
  const workState = new WorkState();
  const plan = deepPlan();
  workState.apply(plan);
  const edits = Array.from({ length: 40 }, (_, step) => edge('added', 5_000 + step, 4_500));
  for (const event of edits) {
    workState.apply(event);
    workState.progress.settleOrder(2_000);
  }
  expect(workState.progress.leverage.known(workState.find('deep', 'n0') ?? -1)).toBe(size - 1);
});
