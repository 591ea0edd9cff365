import type { ClaimView, ClaimWithPrevious, LastClaim } from '../../kernel/claim-view.ts';
import { hasExpired, lastClaimOf } from '../claims/lease.ts';
import { wantedProof } from '../evidence/wanted-proof.ts';
import { effectiveBinding } from '../plans/binding.ts';
import type { Status } from '../plans/contract.ts';
import type { NodeView } from '../plans/node-view.ts';
import type { PlanNode } from '../plans/plan.ts';
import { ago } from './ago.ts';
import { linkOf, overlapsBehind, repositoryOfNode, type ViewContext } from './claim-session.ts';
import { describeTouch, describeUse, touchesMet, usesHeld } from './claimed-uses.ts';
import type { BriefOrFull, ListedView, ReadyEntry, WorkOrFull } from './contract.ts';
import { parkedOf, spentOn } from './parked.ts';
import type { WorkState } from './work-state.ts';

/** A node with everything known about it now. */
export function viewNode(view: ViewContext, vertex: number): NodeView {
  const { workState } = view;
  const { graph } = workState.plans;
  // This is read first, so that the sentence shows the same number.
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

/** The facts that an agent needs to start. Nothing else is computed, because every claim calls this. */
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

/** The changed facts, for an agent that already knows the node. */
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

/** One line that explains the status of a node, or what it waits for. */
export function why(view: ViewContext, vertex: number, status: Status): string {
  const sentences = [
    describeStatus(view, vertex, status),
    describePassBy(view, vertex),
    describeTaken(view, vertex, status),
    describeProof(view, vertex, status),
  ];
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function describeStatus(view: ViewContext, vertex: number, status: Status): string {
  const { workState } = view;
  switch (status) {
    case 'done': {
      const evidence = workState.evidenceOf(vertex);
      const isOfLaterRun = evidence?.state === 'running' || evidence?.state === 'incomplete';
      return `${isOfLaterRun ? 'Done by an earlier run;' : 'Done:'} ${evidence?.detail}.`;
    }
    case 'running':
      return 'A run of its suite is live.';
    case 'failed':
      return `Failed: ${workState.evidenceOf(vertex)?.detail}.${workState.progress.isReady(vertex) ? ' It is offered again.' : ` ${describeWaiting(view, vertex)}`}`;
    case 'claimed': {
      const held = describeHolder(view, vertex);
      return workState.progress.isBlocked(vertex) ? `${held} ${describeWaiting(view, vertex)}` : held;
    }
    case 'submitted':
      return `${describeSubmission(view, vertex)}.`;
    case 'blocked':
      return describeWaiting(view, vertex);
    case 'ready':
      return describeReady(workState.progress.leverage.recent(vertex));
  }
}

/** Agrees with the claim's health: a node is not "held" by a session that has ended. */
function describeHolder({ workState, links, now }: ViewContext, vertex: number): string {
  const lease = workState.liveLease(vertex, now);
  if (!lease) return '';
  const { agent, expiresAt } = lease;
  const { health, reason } = linkOf({ workState, links }, vertex, lease);
  return health === 'orphaned'
    ? `${agent}'s session ended (${reason?.replaceAll('_', ' ')}); the lease lasts until ${expiresAt}.`
    : `Claimed by ${agent} until ${expiresAt}.`;
}

/** How much open work waits for a node: its leverage. */
export const describeLeverage = (leverage: number): string =>
  leverage === 0 ? 'nothing waits for it' : `${leverage} open ${leverage === 1 ? 'node waits' : 'nodes wait'} for it`;

const describeReady = (leverage: number): string => `Ready; ${describeLeverage(leverage)}.`;

/** Earlier failures, and why `claim_next` skips the node. */
function describePassBy(view: ViewContext, vertex: number): string {
  const { workState, now } = view;
  const { failed } = workState.attemptsOf(vertex, now);
  const parked = parkedOf(view, vertex);
  if (parked === 'attempts')
    return `Parked: ${countOf(failed, 'attempt')} failed. claim_next skips it until it is reset.`;
  if (parked === 'budget') return 'Parked: its budget is used up. claim_next skips it until it is raised.';
  const attempts = failed === 0 ? '' : `${failed} of ${countOf(workState.attemptLimitOf(vertex), 'attempt')} failed.`;
  const until = workState.notBefore(vertex, now);
  const waits = until === null ? '' : `claim_next skips it until ${until}.`;
  return [attempts, waits].filter((sentence) => sentence !== '').join(' ');
}

/** The `uses` and `touches` of a claimable node that other claims already have. */
function describeTaken(view: ViewContext, vertex: number, status: Status): string {
  if (status !== 'ready' && status !== 'failed') return '';
  const held = usesHeld(view, null)(vertex);
  if (held) return `${describeUse(view, held)}: claim_next skips it until then.`;
  const met = touchesMet(view)(vertex);
  return met ? `${describeTouch(view, met)}: claim_next prefers other nodes.` : '';
}

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function describeProof({ workState, now }: ViewContext, vertex: number, status: Status): string {
  const evidence = workState.evidenceOf(vertex);
  const binding = workState.plans.graph.nodes[vertex]?.binding;
  if (evidence === null || !binding) return 'Nothing can prove it done: bind it.';
  if (status === 'done') return '';
  const ref = workState.plans.refOf(vertex);
  const since = workState.submissionOf(vertex, now)?.at;
  const isOld = since !== undefined && evidence.observedAt !== null && evidence.observedAt < since;
  const found = status === 'failed' || isOld ? '' : ` ${capitalised(evidence.detail)}.`;
  return `Proof: ${wantedProof(effectiveBinding(binding, ref), ref)}.${found}`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const namesShown = 3;

/** "Submitted by ada 12 min ago"; empty if nothing is submitted. */
function describeSubmission({ workState, now }: ViewContext, vertex: number): string {
  const submission = workState.submissionOf(vertex, now);
  return submission ? `Submitted by ${submission.agent} ${ago(submission.at, now)}` : '';
}

function describeWaiting(view: ViewContext, vertex: number): string {
  const open = waitingFor(view.workState, vertex);
  const names = open.slice(0, namesShown).map((on) => {
    const name = describeDependency(view.workState, on);
    const submission = describeSubmission(view, on).replace('S', 's');
    if (submission === '') return name;
    return open.length === 1 ? `${name}, ${submission}` : `${name} (${submission})`;
  });
  const more = open.length > namesShown ? ` and ${open.length - namesShown} more` : '';
  return `Waits for ${names.join(', ')}${more}.`;
}

function describeDependency(workState: WorkState, vertex: number): string {
  const ref = workState.plans.refOf(vertex);
  const { nodes, plans } = workState.plans.graph;
  if (!nodes[vertex]) return `${ref} (cannot be found)`;
  return plans[vertex]?.archivedAt ? `${ref} (the plan ${plans[vertex]?.slug} is archived)` : ref;
}

/** The dependencies that are not done, missing ones included. */
export const waitingFor = (workState: WorkState, vertex: number): number[] =>
  (workState.plans.graph.dependsOn[vertex] ?? []).filter((on) => !workState.progress.isDone(on));
