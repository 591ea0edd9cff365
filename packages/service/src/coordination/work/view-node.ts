import type { ClaimView, ClaimWithPrevious, LastClaim } from '../../kernel/claim-view.ts';
import { hasExpired, lastClaimOf } from '../claims/lease.ts';
import { effectiveBinding } from '../plans/binding.ts';
import type { NodeView } from '../plans/node-view.ts';
import type { PlanNode } from '../plans/plan.ts';
import { linkOf, overlapsBehind, repositoryOfNode, type ViewContext } from './claim-session.ts';
import type { BriefOrFull, ListedView, ReadyEntry, WorkOrFull } from './contract.ts';
import { parkedOf, spentOn } from './parked.ts';
import { why } from './why.ts';
import type { WorkState } from './work-state.ts';

/** A node with all that is known of it right now. */
export function viewNode(view: ViewContext, vertex: number): NodeView {
  const { workState } = view;
  const { graph } = workState.plans;
  // First, so that the sentence says the same number.
  const leverage = workState.progress.leverage.of(vertex);
  const at = nodeAt(view, vertex);
  return {
    ...workViewOf(view, vertex, at),
    estimateMinutes: at.node.estimateMinutes,
    priority: workState.progress.priorities.of(vertex),
    budget: at.node.budget,
    touches: at.node.touches,
    uses: at.node.uses,
    touched: workState.claims.of(workState.keyOf(vertex)).touched ?? [],
    spent: spentOn(view, vertex),
    unbound: at.node.binding === null,
    leverage,
    dependents: (graph.dependents[vertex] ?? []).map((dependent) => workState.plans.refOf(dependent)),
    claim: viewClaim(view, vertex),
    submission: workState.submissionOf(vertex, view.now),
    overlaps: countOverlaps(view, vertex),
    ...viewAttempts(view, vertex),
    evidence: viewEvidence(workState, vertex),
  };
}

/** What an agent needs to start. Nothing more is computed: this is on the path of every claim. */
const viewNodeForWork = (view: ViewContext, vertex: number): WorkView => workViewOf(view, vertex, nodeAt(view, vertex));

function workViewOf(view: ViewContext, vertex: number, { node, brief }: NodeAt): WorkView {
  const { plan, id, ref, status, ready, claimedBy, why: reason } = brief;
  return {
    plan,
    id,
    ref,
    title: node.title,
    description: node.description,
    repository: repositoryOfNode(view.workState, vertex),
    labels: node.labels,
    binding: node.binding && effectiveBinding(node.binding, ref),
    status,
    ready,
    claimedBy,
    why: reason,
    dependsOn: viewDependencies(view, vertex),
    lastClaim: viewLastClaim(view, vertex),
  };
}

/** What changed for an agent that knows the node already. */
const viewNodeInBrief = (view: ViewContext, vertex: number): BriefView => nodeAt(view, vertex).brief;

type BriefView = Pick<NodeView, 'plan' | 'id' | 'ref' | 'status' | 'ready' | 'claimedBy' | 'why'>;
type WorkView = BriefView &
  Pick<NodeView, 'title' | 'description' | 'repository' | 'labels' | 'binding' | 'dependsOn' | 'lastClaim'>;

type NodeAt = { node: PlanNode; brief: BriefView };

function nodeAt(view: ViewContext, vertex: number): NodeAt {
  const { workState, now } = view;
  const { plans, nodes } = workState.plans.graph;
  const plan = plans[vertex];
  const node = nodes[vertex];
  if (!plan || !node) throw new RangeError(`no node at vertex ${vertex}`);
  const status = workState.status(vertex, now);
  const brief = {
    plan: plan.slug,
    id: node.id,
    ref: workState.plans.refOf(vertex),
    status,
    ready: workState.isReady(vertex, now),
    claimedBy: workState.liveLease(vertex, now)?.agent ?? null,
    why: why(view, vertex, status),
  };
  return { node, brief };
}

const viewDependencies = ({ workState, now }: ViewContext, vertex: number): NodeView['dependsOn'] => {
  const { graph } = workState.plans;
  return (graph.dependsOn[vertex] ?? []).map((on) => ({
    ref: workState.plans.refOf(on),
    status: graph.nodes[on] ? workState.status(on, now) : null,
    done: workState.progress.isDone(on),
    missing: graph.nodes[on] === undefined,
  }));
};

function viewAttempts(view: ViewContext, vertex: number): Pick<NodeView, 'attempts' | 'parked' | 'notBefore'> {
  const { workState, now } = view;
  const { failed, last } = workState.attemptsOf(vertex, now);
  return {
    attempts: { failed, limit: workState.attemptLimitOf(vertex), last },
    parked: parkedOf(view, vertex),
    notBefore: workState.notBefore(vertex, now),
  };
}

export function viewClaim(view: ViewContext, vertex: number): ClaimView | null {
  const { workState, now } = view;
  const lease = workState.liveLease(vertex, now);
  if (!lease) return null;
  const { agent, session, note, progress = null, claimedAt, expiresAt, fence } = lease;
  const link = linkOf(view, vertex, lease);
  return { agent, session, note, progress, claimedAt, expiresAt, fence, ...link };
}

export function viewClaimWithPrevious(view: ViewContext, vertex: number): ClaimWithPrevious | null {
  const claim = viewClaim(view, vertex);
  return claim && { ...claim, previous: viewLastClaim(view, vertex) };
}

/** An expired lease counts as the last claim at once, even before its expiry event is written. */
function viewLastClaim(view: ViewContext, vertex: number): LastClaim | null {
  const { workState, now } = view;
  const { lease, last } = workState.claims.of(workState.keyOf(vertex));
  if (!hasExpired(lease, now)) return last;
  const { health, reason } = linkOf(view, vertex, lease);
  return lastClaimOf(lease, { how: 'expired', endedAt: lease.expiresAt, tokens: null, health, reason });
}

function countOverlaps(view: ViewContext, vertex: number): number {
  const lease = view.workState.liveLease(vertex, view.now);
  return lease ? overlapsBehind(view, vertex, lease).length : 0;
}

function viewEvidence(workState: WorkState, vertex: number): NodeView['evidence'] {
  const evidence = workState.evidenceOf(vertex);
  if (evidence === null) return null;
  const { state, detail, url, runId, provenance } = evidence;
  const observedAt = evidence.observedAt === null ? null : workState.evidence.lastCheckedAt(workState.keyOf(vertex));
  return { state, detail, url, runId, provenance, observedAt };
}

/** How much of a node a call asks for. */
type Wanted = { view?: 'full' | 'brief' | null | undefined };

export const viewForWork = (context: ViewContext, vertex: number, { view }: Wanted): WorkOrFull =>
  view === 'full' ? viewNode(context, vertex) : viewNodeForWork(context, vertex);

export const viewInBrief = (context: ViewContext, vertex: number, { view }: Wanted): BriefOrFull =>
  view === 'full' ? viewNode(context, vertex) : viewNodeInBrief(context, vertex);

export function viewInList(context: ViewContext, vertex: number, { view }: Wanted): ReadyEntry {
  const { claimedBy, ...entry } = view === 'brief' ? viewNodeInList(context, vertex) : viewNode(context, vertex);
  return claimedBy === null ? entry : { ...entry, claimedBy };
}

function viewNodeInList(context: ViewContext, vertex: number): ListedView {
  const { title, repository, labels, priority, leverage, ...node } = viewNode(context, vertex);
  const { plan, id, ref, status, ready, claimedBy, why: reason } = node;
  return { plan, id, ref, status, ready, claimedBy, why: reason, title, repository, labels, priority, leverage };
}
