import type { Lease, PlanNode } from 'signalbox/plan-fold';
import type { NodeView, Status } from '../../../live/wire.ts';
import type { Picture } from './replay.ts';

type Elsewhere = (ref: string) => { done: boolean; missing: boolean };

/** Nodes of a past picture as the graph draws them. What cannot be known of the past any more is left out. */
export function nodesAt(slug: string, picture: Picture, at: string, elsewhere: Elsewhere): NodeView[] {
  const own = `${slug.toLowerCase()}/`;
  const refOf = (text: string) => (text.includes('/') ? text : `${slug}/${text}`);
  const needOf = (text: string): NodeView['dependsOn'][number] => {
    const ref = refOf(text);
    const key = ref.toLowerCase();
    if (!key.startsWith(own)) return { ref, status: null, ...elsewhere(ref) };
    const known = picture.nodes.get(key.slice(own.length));
    const done = picture.proofOf(key.slice(own.length)) === 'done';
    return { ref: known ? `${slug}/${known.id}` : ref, status: done ? 'done' : null, done, missing: !known };
  };
  const users = new Map<string, string[]>();
  const views = [...picture.nodes].map(([key, node]): NodeView => {
    const dependsOn = node.dependsOn.map(needOf);
    for (const { ref } of dependsOn) users.set(ref, [...(users.get(ref) ?? []), `${slug}/${node.id}`]);
    const claim = picture.leaseOf(key);
    const live = claim && claim.expiresAt > at ? claim : null;
    const isFree = dependsOn.every(({ done }) => done);
    const proof = picture.proofOf(key);
    const status = proof !== 'open' ? proof : live ? 'claimed' : isFree ? 'ready' : 'blocked';
    return viewOf(slug, picture, node, { dependsOn, live, isFree, status });
  });
  return views.map((view) => ({ ...view, dependents: users.get(view.ref) ?? [] }));
}

type Known = { dependsOn: NodeView['dependsOn']; live: Lease | null; isFree: boolean; status: Status };

function viewOf(slug: string, picture: Picture, node: PlanNode, { dependsOn, live, isFree, status }: Known): NodeView {
  return {
    ...node,
    plan: slug,
    ref: `${slug}/${node.id}`,
    repository: node.repository ?? picture.repository,
    status,
    ready: isFree && status !== 'done' && status !== 'running',
    unbound: node.binding === null,
    leverage: 0,
    why: 'As it was at this moment.',
    dependsOn,
    dependents: [],
    claimedBy: live?.agent ?? null,
    claim: live && {
      ...live,
      health: 'unlinked',
      correlation: null,
      reason: null,
      sessionId: null,
      previous: null,
    },
    lastClaim: null,
    evidence: picture.evidenceOf(node.id.toLowerCase()),
  };
}
