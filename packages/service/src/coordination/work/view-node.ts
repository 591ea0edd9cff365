import type { ClaimView, ClaimWithPrevious, LastClaim } from '../../kernel/claim-view.ts';
import { hasExpired, lastClaimOf } from '../claims/lease.ts';
import { effectiveBinding } from '../plans/binding.ts';
import type { NodeView } from '../plans/node-view.ts';
import { linkOf, repositoryOfNode, type ViewContext } from './node-link.ts';
import { why } from './why.ts';
import type { WorkState } from './work-state.ts';

/** A node with all that is known of it right now. */
export function viewNode(view: ViewContext, vertex: number): NodeView {
  const { workState, now } = view;
  const { graph } = workState.plans;
  const plan = graph.plans[vertex];
  const node = graph.nodes[vertex];
  if (!plan || !node) throw new RangeError(`no node at vertex ${vertex}`);
  const ref = workState.plans.refOf(vertex);
  const status = workState.status(vertex, now);
  const lease = workState.liveLease(vertex, now);
  return {
    plan: plan.slug,
    id: node.id,
    ref,
    title: node.title,
    description: node.description,
    repository: repositoryOfNode(workState, vertex),
    labels: node.labels,
    estimateMinutes: node.estimateMinutes,
    binding: node.binding && effectiveBinding(node.binding, ref),
    status,
    ready: workState.progress.isReady(vertex),
    unbound: node.binding === null,
    leverage: workState.progress.leverage.of(vertex),
    why: why(view, vertex, status),
    dependsOn: (graph.dependsOn[vertex] ?? []).map((on) => ({
      ref: workState.plans.refOf(on),
      status: graph.nodes[on] ? workState.status(on, now) : null,
      done: workState.progress.isDone(on),
      missing: graph.nodes[on] === undefined,
    })),
    dependents: (graph.dependents[vertex] ?? []).map((dependent) => workState.plans.refOf(dependent)),
    claim: viewClaim(view, vertex),
    claimedBy: lease?.agent ?? null,
    lastClaim: viewLastClaim(view, vertex),
    evidence: viewEvidence(workState, vertex),
  };
}

export function viewClaim(view: ViewContext, vertex: number): ClaimView | null {
  const { workState, now } = view;
  const lease = workState.liveLease(vertex, now);
  if (!lease) return null;
  const { agent, session, note, claimedAt, expiresAt, fence } = lease;
  const link = linkOf(view, vertex, lease);
  return { agent, session, note, claimedAt, expiresAt, fence, ...link };
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

function viewEvidence(workState: WorkState, vertex: number): NodeView['evidence'] {
  const evidence = workState.evidenceOf(vertex);
  if (evidence === null) return null;
  const { state, detail, url, runId, provenance } = evidence;
  const observedAt = evidence.observedAt === null ? null : workState.evidence.lastCheckedAt(workState.keyOf(vertex));
  return { state, detail, url, runId, provenance, observedAt };
}
