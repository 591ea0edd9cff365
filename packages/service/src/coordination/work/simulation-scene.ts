import type { NodeKey } from '../../kernel/streams.ts';
import { keyOfRef, nodeKey, nodeRef } from '../../kernel/streams.ts';
import type { NodeDocument, PlanDocument } from '../plans/contract.ts';
import { mergeChanges } from '../plans/node-diff.ts';
import type { Plan } from '../plans/plan.ts';
import { refKey } from '../plans/refs.ts';
import { verticesOf } from './summary.ts';
import type { WorkState } from './work-state.ts';

/** A node that is not done, and its progress. */
export type SceneNode = {
  plan: string;
  document: NodeDocument & { dependsOn: readonly string[] };
  /** Its position in the order in which nodes were added, which is the second-to-last criterion of the ready order. */
  added: number;
  /** The holder and the time of its claim, or `submitted` if its proof is awaited. */
  begun: { agent: string; at: string } | 'submitted' | null;
  /** Earlier failed attempts. */
  failed: number;
};

/** The starting point of a simulation: the open nodes of a plan, and those of other plans that they wait for. */
export type Scene = {
  now: string;
  slug: string;
  /** The default, if neither a node nor its plan sets a limit. */
  maxAttempts: number;
  plans: readonly PlanDocument[];
  nodes: readonly SceneNode[];
};

export const keyOfSceneNode = ({ plan, document }: SceneNode): NodeKey => nodeKey(plan, document.id);

/** The open nodes of a plan of the service, and of the plans it depends on. */
export function sceneOf(workState: WorkState, plan: Plan, now: string): Scene {
  const { graph } = workState.plans;
  const wanted = new Set(verticesOf(workState, plan).filter((vertex) => !workState.progress.isDone(vertex)));
  for (const vertex of wanted) {
    for (const on of graph.dependsOn[vertex] ?? []) {
      const isThere = graph.nodes[on] !== undefined && graph.plans[on]?.archivedAt === null;
      if (isThere && !workState.progress.isDone(on)) wanted.add(on);
    }
  }
  const plans = new Set([...wanted].flatMap((vertex) => graph.plans[vertex] ?? []));
  return {
    now,
    slug: plan.slug,
    maxAttempts: workState.maxAttempts,
    plans: [...plans].map(documentOf),
    nodes: [...wanted].flatMap((vertex) => sceneNode(workState, vertex, now) ?? []),
  };
}

function sceneNode(workState: WorkState, vertex: number, now: string): SceneNode | undefined {
  const { graph } = workState.plans;
  const [node, plan] = [graph.nodes[vertex], graph.plans[vertex]];
  if (!node || !plan) return undefined;
  const lease = workState.liveLease(vertex, now);
  const isAwaited = workState.submissionOf(vertex, now) !== null || workState.progress.proof(vertex) === 'running';
  const dependsOn = (graph.dependsOn[vertex] ?? [])
    .filter((on) => !workState.progress.isDone(on))
    .map((on) => workState.plans.refOf(on));
  return {
    plan: plan.slug,
    document: { ...mergeChanges(node, {}), dependsOn },
    added: graph.addedSequence[vertex] ?? 0,
    begun: lease ? { agent: lease.agent, at: lease.claimedAt } : isAwaited ? 'submitted' : null,
    failed: workState.claims.of(workState.keyOf(vertex)).attempts?.failed ?? 0,
  };
}

/** With the author's members, without nodes. */
const documentOf = (plan: Plan): PlanDocument => ({ ...plan, plan: plan.slug, nodes: null });

/** A plan that is not in the service: no node has begun, and dependencies on other plans count as done. */
export function sceneOfDocument(document: PlanDocument & { plan: string }, now: string): Scene {
  const { nodes, ...plan } = document;
  const own = `${keyOfRef(plan.plan)}/`;
  return {
    now,
    slug: plan.plan,
    maxAttempts: 5,
    plans: [plan],
    nodes: (nodes ?? []).map((node) => {
      const dependsOn = (node.dependsOn ?? []).filter((ref) => refKey(ref, plan.plan).startsWith(own));
      return { plan: plan.plan, document: { ...node, dependsOn }, added: 1, begun: null, failed: 0 };
    }),
  };
}

/** A scene with one node split into two halves that can be worked on in parallel. */
export function splitInScene(scene: Scene, key: NodeKey): Scene {
  const nodes = scene.nodes.flatMap((node) => {
    const dependsOn = node.document.dependsOn.flatMap((ref) =>
      refKey(ref, node.plan) === key ? [ref, `${ref}~2`] : [ref],
    );
    const document = { ...node.document, dependsOn };
    if (keyOfSceneNode(node) !== key) return [{ ...node, document }];
    const half = { ...document, estimateMinutes: (document.estimateMinutes ?? 0) / 2 };
    return [
      { ...node, document: half },
      { ...node, document: { ...half, id: `${document.id}~2` } },
    ];
  });
  return { ...scene, nodes };
}

/** Nodes without an estimate take `minutes`. Nodes without a binding get one, because otherwise nothing could prove them. */
export function completeScene(scene: Scene, minutes: number): Scene {
  const nodes = scene.nodes.map((node) => {
    const { document } = node;
    const estimateMinutes = document.estimateMinutes ?? minutes;
    const binding = document.binding ?? { kind: 'signOff' as const };
    return { ...node, document: { ...document, estimateMinutes, binding } };
  });
  return { ...scene, nodes };
}

export const refOfSceneNode = ({ plan, document }: SceneNode): string => nodeRef(plan, document.id);
