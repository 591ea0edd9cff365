import type { ClaimView, LastClaim } from '../claims/contract.ts';
import { hasLapsed, type Lease, lapsed } from '../claims/lease.ts';
import { effectiveBinding } from '../plans/binding.ts';
import type { NodeView } from '../plans/node-view.ts';
import type { Picture } from './picture.ts';
import type { ClaimLink, ClaimLinks } from './ports.ts';
import { why } from './why.ts';

export type Sight = { picture: Picture; links: ClaimLinks; now: string };

/** A node with all that is known of it right now. */
export function viewNode(sight: Sight, vertex: number): NodeView {
  const { picture, now } = sight;
  const { graph } = picture.plans;
  const plan = graph.plans[vertex];
  const node = graph.nodes[vertex];
  if (!plan || !node) throw new RangeError(`no node at vertex ${vertex}`);
  const ref = picture.plans.refOf(vertex);
  const status = picture.status(vertex, now);
  const lease = picture.liveLease(vertex, now);
  return {
    plan: plan.slug,
    id: node.id,
    ref,
    title: node.title,
    description: node.description,
    repository: node.repository ?? plan.repository,
    labels: node.labels,
    estimateMinutes: node.estimateMinutes,
    binding: node.binding && effectiveBinding(node.binding, ref),
    status,
    ready: picture.standing.isReady(vertex),
    unbound: node.binding === null,
    leverage: picture.standing.leverage.of(vertex),
    why: why(picture, vertex, status, now),
    dependsOn: (graph.dependsOn[vertex] ?? []).map((on) => ({
      ref: picture.plans.refOf(on),
      status: graph.nodes[on] ? picture.status(on, now) : null,
      done: picture.standing.isDone(on),
      missing: graph.nodes[on] === undefined,
    })),
    dependents: (graph.dependents[vertex] ?? []).map((dependent) => picture.plans.refOf(dependent)),
    claim: viewClaim(sight, vertex),
    claimedBy: lease?.agent ?? null,
    lastClaim: viewLast(sight, vertex),
    evidence: viewEvidence(picture, vertex),
  };
}

export function viewClaim(sight: Sight, vertex: number): ClaimView | null {
  const { picture, now } = sight;
  const lease = picture.liveLease(vertex, now);
  if (!lease) return null;
  const { agent, session, note, claimedAt, expiresAt, fence } = lease;
  const link = linkOf(sight, vertex, lease);
  return { agent, session, note, claimedAt, expiresAt, fence, ...link, previous: viewLast(sight, vertex) };
}

export function linkOf({ picture, links }: Pick<Sight, 'picture' | 'links'>, vertex: number, lease: Lease): ClaimLink {
  const plan = picture.plans.graph.plans[vertex];
  const node = picture.plans.graph.nodes[vertex];
  const { agent, session, fence, expiresAt } = lease;
  const repository = node?.repository ?? plan?.repository ?? null;
  return links.of({ plan: plan?.slug ?? '', node: node?.id ?? '', agent, session, fence, expiresAt, repository });
}

/** A lease that has run out is the last claim at once, whether or not its note is written yet. */
function viewLast(sight: Sight, vertex: number): LastClaim | null {
  const { picture, now } = sight;
  const { lease, last } = picture.claims.of(picture.keyOf(vertex));
  if (!hasLapsed(lease, now)) return last;
  const { health, reason } = linkOf(sight, vertex, lease);
  return lapsed(lease, { how: 'expired', endedAt: lease.expiresAt, health, reason });
}

function viewEvidence(picture: Picture, vertex: number): NodeView['evidence'] {
  const known = picture.evidenceOf(vertex);
  if (known === null) return null;
  const { state, detail, url, runId, provenance } = known;
  const observedAt = known.observedAt === null ? null : picture.evidence.lookedAt(picture.keyOf(vertex));
  return { state, detail, url, runId, provenance, observedAt };
}
