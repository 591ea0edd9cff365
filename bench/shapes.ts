import type { RecordedEvent } from '../packages/service/src/kernel/event-log.ts';

// The three graph shapes for measuring the ready list: many small plans with a few edges between them, one deep plan with
// dependencies on recent nodes, and one with dependencies on any earlier node. Three edges a node, 30 % done.
export const shapes = ['plans', 'window', 'uniform'] as const;
export type Shape = (typeof shapes)[number];

/** A deterministic random generator. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const edgesPerNode = 3;
const planSize = 100;
const doneShare = 0.3;

export const slugOf = (shape: Shape, index: number): string =>
  shape === 'plans' ? `plan-${Math.floor(index / planSize)}` : 'plan-0';
export const idOf = (index: number): string => `n${index}`;

function earlier(shape: Shape, index: number, random: () => number): number {
  if (shape === 'uniform') return Math.floor(random() * index);
  if (shape === 'window') return index - 1 - Math.floor(random() * Math.min(index, 200));
  const first = index - (index % planSize);
  if (index === first || random() < 0.01) return Math.floor(random() * index);
  return first + Math.floor(random() * (index - first));
}

/** Dependencies of each node, all of them earlier ones. */
export function graphOf(shape: Shape, size: number, random: () => number): number[][] {
  return Array.from({ length: size }, (_, index) => {
    const isFirst = index === 0 || (shape === 'plans' && index % planSize === 0);
    const picked = new Set<number>();
    for (let edge = 0; edge < (isFirst ? 0 : edgesPerNode); edge += 1) picked.add(earlier(shape, index, random));
    return [...picked];
  });
}

const recorded = (sequence: number, stream: string, version: number, type: string, data: unknown): RecordedEvent => ({
  sequence,
  stream,
  version,
  topic: stream,
  id: String(sequence),
  at: '2026-01-01T00:00:00.000Z',
  by: 'bench',
  provenance: 'asserted',
  type,
  data,
});

export type Node = { id: string; title: string; dependsOn: string[]; binding: { kind: 'issue'; issue: string } };

export function documentsOf(shape: Shape, graph: readonly (readonly number[])[]): Map<string, Node[]> {
  const plans = new Map<string, Node[]>();
  graph.forEach((dependencies, index) => {
    const plan = slugOf(shape, index);
    const ref = (on: number) => (slugOf(shape, on) === plan ? idOf(on) : `${slugOf(shape, on)}/${idOf(on)}`);
    const node: Node = {
      id: idOf(index),
      title: `Node ${index}`,
      dependsOn: dependencies.map(ref),
      binding: { kind: 'issue', issue: 'acme/shop#1' },
    };
    const nodes = plans.get(plan);
    if (nodes) nodes.push(node);
    else plans.set(plan, [node]);
  });
  return plans;
}

/** The log of such a graph, the first ones done in order. */
export function* eventsOf(shape: Shape, graph: readonly (readonly number[])[]): Generator<RecordedEvent> {
  let sequence = 0;
  for (const [slug, nodes] of documentsOf(shape, graph)) {
    sequence += 1;
    yield recorded(sequence, `plan:${slug}`, 1, 'plan_created', { document: { plan: slug, nodes }, source: 'api' });
  }
  for (let index = 0; index < graph.length * doneShare; index += 1) {
    sequence += 1;
    yield doneEvent(sequence, shape, pickDone(shape, index, graph.length));
  }
}

/** The first nodes are done; with many plans, the first of each. */
function pickDone(shape: Shape, index: number, size: number): number {
  if (shape !== 'plans') return index;
  const donePerPlan = planSize * doneShare;
  return Math.min(size - 1, Math.floor(index / donePerPlan) * planSize + (index % donePerPlan));
}

export const doneEvent = (sequence: number, shape: Shape, index: number): RecordedEvent =>
  recorded(sequence, `evidence:${slugOf(shape, index)}/${idOf(index)}`, 1, 'evidence_observed', {
    id: idOf(index),
    from: 'open',
    to: 'closed',
    settled: 'closed',
    detail: 'closed',
    url: null,
    runId: null,
  });

export const edgeEvent = (
  sequence: number,
  shape: Shape,
  kind: 'added' | 'removed',
  node: number,
  on: number,
): RecordedEvent =>
  recorded(sequence, `plan:${slugOf(shape, node)}`, sequence, `dependency_${kind}`, {
    node: idOf(node),
    on: slugOf(shape, node) === slugOf(shape, on) ? idOf(on) : `${slugOf(shape, on)}/${idOf(on)}`,
  });

export const claimEvent = (sequence: number, shape: Shape, index: number): RecordedEvent =>
  recorded(sequence, `claim:${slugOf(shape, index)}/${idOf(index)}`, 1, 'node_claimed', {
    id: idOf(index),
    agent: 'agent-1',
    session: null,
    worktree: null,
    fence: sequence,
    leaseMinutes: 30,
    expiresAt: '2026-01-01T00:30:00.000Z',
  });
