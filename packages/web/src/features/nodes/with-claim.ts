import type { Claim, NodeView } from '../../live/wire.ts';

/** The node with this claim, shown until the service is read again. A status from evidence outranks a claim. */
export function withClaim(node: NodeView, claim: Claim | null): NodeView {
  const isProven = node.status === 'done' || node.status === 'running' || node.status === 'failed';
  const status = isProven ? node.status : claim ? 'claimed' : node.ready ? 'ready' : 'blocked';
  return { ...node, status, claim, claimedBy: claim?.agent ?? null };
}
