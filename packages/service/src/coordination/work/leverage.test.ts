import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { keyOfRef } from '../../kernel/streams.ts';
import type { Priority } from '../plans/priority.ts';
import { WorkState } from './work-state.ts';

type Step =
  | { do: 'edge' | 'unedge'; node: number; on: number }
  | { do: 'done' | 'open' | 'remove' | 'add'; node: number }
  | { do: 'archive' | 'restore'; plan: number }
  | { do: 'estimate'; node: number; minutes: number }
  | { do: 'priority'; node: number; to: Priority | null }
  | { do: 'planPriority'; plan: number; to: Priority | null };

const plans = 3;
const size = 24;
const slug = (node: number) => `p${node % plans}`;
const ref = (node: number) => `${slug(node)}/n${node}`;

function player(workState: WorkState) {
  let sequence = 0;
  return (stream: string, type: string, data: object) => {
    sequence += 1;
    const at = '2026-01-01T00:00:00.000Z';
    const event = { sequence, stream, version: sequence, topic: stream, id: '', at, by: 'x', type, data };
    workState.apply({ ...event, provenance: 'asserted' } as RecordedEvent);
  };
}

const bound = (node: number) => ({ id: `n${node}`, binding: { kind: 'issue', issue: 'a/b#1' } });

/** Edges always lead from a lower to a higher number, so that there are no cycles. */
function stage() {
  const workState = new WorkState();
  const say = player(workState);
  for (let plan = 0; plan < plans; plan += 1) {
    const nodes = Array.from({ length: size }, (_, node) => node).filter((node) => node % plans === plan);
    say(`plan:p${plan}`, 'plan_created', { document: { plan: `p${plan}`, nodes: nodes.map(bound) }, source: 'api' });
  }
  const has = (node: number) => workState.find(slug(node), `n${node}`) !== undefined;
  const depends = (node: number, on: number) =>
    workState.plans.find(slug(node))?.nodes.get(`n${node}`)?.dependsOn.includes(ref(on)) ?? false;
  const play = (steps: readonly Step[]) => {
    for (const step of steps) {
      if (step.do === 'planPriority') {
        say(`plan:p${step.plan}`, 'plan_changed', { fields: { priority: { from: null, to: step.to } } });
        continue;
      }
      if ('plan' in step) {
        say(`plan:p${step.plan}`, step.do === 'archive' ? 'plan_archived' : 'plan_restored', {});
        continue;
      }
      const { node } = step;
      const plan = `plan:${slug(node)}`;
      const id = `n${node}`;
      if (step.do === 'add' && !has(node)) say(plan, 'node_added', { node: bound(node) });
      if (!has(node)) continue;
      if (step.do === 'edge' && step.on < node && !depends(node, step.on)) {
        say(plan, 'dependency_added', { node: id, on: ref(step.on) });
      }
      if (step.do === 'unedge' && depends(node, step.on))
        say(plan, 'dependency_removed', { node: id, on: ref(step.on) });
      if (step.do === 'remove') say(plan, 'node_removed', { id });
      if (step.do === 'estimate') {
        say(plan, 'node_changed', { id, fields: { estimateMinutes: { from: null, to: step.minutes } } });
      }
      if (step.do === 'priority') say(plan, 'node_changed', { id, fields: { priority: { from: null, to: step.to } } });
      if (step.do === 'done' || step.do === 'open') {
        const state = step.do === 'done' ? 'closed' : 'open';
        const seen = { id, from: 'open', to: state, settled: state, detail: '', url: null, runId: null };
        say(`evidence:${slug(node)}/n${node}`, 'evidence_observed', seen);
      }
    }
  };
  return { picture: workState, play };
}

/** The same, computed only from plans and evidence in the simplest way. */
function bruteForce(workState: WorkState) {
  const all = [...workState.plans.all()].flatMap((plan) =>
    [...plan.nodes.values()].map((node) => ({ plan, node, key: `${plan.slug}/${node.id}` })),
  );
  const isDone = (key: string) => workState.evidence.of(keyOfRef(key))?.state === 'closed';
  const counts = ({ plan, key }: (typeof all)[number]) => plan.archivedAt === null && !isDone(key);
  const behind = (key: string) => all.filter(({ node }) => node.dependsOn.includes(key));
  const reach = (key: string, seen = new Set<string>()): Set<string> => {
    for (const next of behind(key)) {
      if (seen.has(next.key)) continue;
      seen.add(next.key);
      reach(next.key, seen);
    }
    return seen;
  };
  const known = new Map(all.map((one) => [one.key, one]));
  const minutes = (key: string): number => {
    const one = known.get(key);
    const own = one && counts(one) ? (one.node.estimateMinutes ?? 60) : 0;
    return own + Math.max(0, ...behind(key).map((next) => minutes(next.key)));
  };
  const levels = [null, 'low', 'normal', 'high', 'urgent'];
  const level = (key: string): number => {
    const one = known.get(key);
    const said = one?.node.priority ?? one?.plan.priority ?? null;
    const open = behind(key).filter(counts);
    return Math.max(levels.indexOf(said), ...open.map((next) => level(next.key)));
  };
  return all.map((one) => ({
    key: one.key,
    priority: levels[level(one.key)] ?? 'normal',
    leverage: [...reach(one.key)].filter((key) => {
      const there = known.get(key);
      return there !== undefined && counts(there);
    }).length,
    minutes: minutes(one.key),
    ready: counts(one) && one.node.dependsOn.every((on) => known.has(on) && isDone(on)),
  }));
}

const node = fc.nat(size - 1);
const to = fc.constantFrom('urgent' as const, 'high', 'normal', 'low', null);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('edge' as const), node, on: node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unedge' as const), node, on: node }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('done' as const, 'open', 'remove', 'add'), node }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('estimate' as const), node, minutes: fc.integer({ min: 1, max: 300 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('priority' as const), node, to }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('planPriority' as const), plan: fc.nat(plans - 1), to }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('archive' as const, 'restore'), plan: fc.nat(plans - 1) }) },
);

test('leverage, longest path, priority, readiness and the order equal a plain count, after any edits', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), fc.array(step, { maxLength: 10 }), (first, then) => {
      const { picture: workState, play } = stage();
      play(first);
      compare(workState);
      for (const one of then) {
        play([one]);
        compare(workState);
      }
    }),
    { numRuns: 1000 },
  );
});

function compare(workState: WorkState) {
  // Compared first, because another read would recount what the order must notice by itself.
  const order = workState.progress.readyOrder().map((vertex) => workState.keyOf(vertex));
  const plain = bruteForce(workState);
  expect(told(workState)).toEqual(plain);
  expect(order).toEqual(plainOrder(workState, plain));
}

const ranks = ['urgent', 'high', 'normal', 'low'];

function plainOrder(workState: WorkState, plain: ReturnType<typeof bruteForce>): string[] {
  const added = (key: string) =>
    workState.plans.graph.addedSequence[workState.plans.graph.find(keyOfRef(key)) ?? -1] ?? 0;
  return plain
    .filter(({ ready }) => ready)
    .sort(
      (a, b) =>
        ranks.indexOf(a.priority) - ranks.indexOf(b.priority) ||
        b.leverage - a.leverage ||
        b.minutes - a.minutes ||
        added(a.key) - added(b.key) ||
        (a.key < b.key ? -1 : 1),
    )
    .map(({ key }) => key);
}

function told(workState: WorkState) {
  const ready = new Set(workState.progress.readyOrder());
  return [...workState.plans.all()].flatMap((plan) =>
    [...plan.nodes.values()].map(({ id }) => {
      const vertex = workState.plans.vertex(plan.slug, id);
      const { leverage } = workState.progress;
      return {
        key: `${plan.slug}/${id}`,
        priority: workState.progress.priorities.of(vertex),
        leverage: leverage.of(vertex),
        minutes: leverage.minutes(vertex),
        ready: ready.has(vertex),
      };
    }),
  );
}
