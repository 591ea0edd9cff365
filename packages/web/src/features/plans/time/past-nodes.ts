import { nodeStatus } from 'signalbox/browser/node-status';
import type { Lease, PastPlan, PlanNode } from 'signalbox/browser/plan-fold';
import type { NodeView, Status } from '../../../live/wire.ts';

type OtherPlanNode = (ref: string) => { done: boolean; missing: boolean };

/** The nodes of a past plan as the graph draws them. Facts that are no longer known are left out. */
export function nodesAt(slug: string, pastPlan: PastPlan, at: string, otherPlanNode: OtherPlanNode): NodeView[] {
  const own = `${slug.toLowerCase()}/`;
  const refOf = (text: string) => (text.includes('/') ? text : `${slug}/${text}`);
  const needOf = (text: string): NodeView['dependsOn'][number] => {
    const ref = refOf(text);
    const key = ref.toLowerCase();
    if (!key.startsWith(own)) return { ref, status: null, ...otherPlanNode(ref) };
    const needed = pastPlan.nodes.get(key.slice(own.length));
    const done = pastPlan.proofOf(key.slice(own.length)) === 'done';
    return { ref: needed ? `${slug}/${needed.id}` : ref, status: done ? 'done' : null, done, missing: !needed };
  };
  const users = new Map<string, string[]>();
  const views = [...pastPlan.nodes].map(([key, node]): NodeView => {
    const dependsOn = node.dependsOn.map(needOf);
    for (const { ref } of dependsOn) users.set(ref, [...(users.get(ref) ?? []), `${slug}/${node.id}`]);
    const claim = pastPlan.leaseOf(key);
    const live = claim && claim.expiresAt > at ? claim : null;
    const submission = pastPlan.submissionOf(key, at);
    const isFree = dependsOn.every(({ done }) => done);
    const status = nodeStatus({
      proof: pastPlan.proofAt(key, at),
      claimed: live !== null,
      submitted: submission !== null,
      blocked: !isFree,
    });
    return viewOf(slug, pastPlan, node, { dependsOn, lease: live, submission, isFree, status });
  });
  return views.map((view) => ({ ...view, dependents: users.get(view.ref) ?? [] }));
}

type NodeState = { dependsOn: NodeView['dependsOn']; lease: Lease | null; isFree: boolean; status: Status } & Pick<
  NodeView,
  'submission'
>;

function viewOf(
  slug: string,
  pastPlan: PastPlan,
  node: PlanNode,
  { dependsOn, lease: live, submission, isFree, status }: NodeState,
): NodeView {
  const { failed, last } = pastPlan.claimsOf(node.id.toLowerCase()).attempts ?? { failed: 0, last: [] };
  return {
    ...node,
    plan: slug,
    ref: `${slug}/${node.id}`,
    repository: node.repository ?? pastPlan.repository,
    status,
    ready: isFree && submission === null && status !== 'done' && status !== 'running',
    unbound: node.binding === null,
    leverage: 0,
    overlaps: 0,
    touched: [],
    why: 'As it was at this moment.',
    dependsOn,
    dependents: [],
    claimedBy: live?.agent ?? null,
    claim: live && {
      ...live,
      progress: live.progress ?? null,
      health: 'unlinked',
      correlation: null,
      linkedBy: null,
      reason: null,
      sessionId: null,
    },
    lastClaim: null,
    submission,
    attempts: { failed, limit: node.maxAttempts ?? failed, last },
    priority: node.priority ?? 'normal',
    spent: { tokens: 0, claims: 0 },
    parked: null,
    notBefore: null,
    evidence: pastPlan.evidenceOf(node.id.toLowerCase()),
  };
}
