import type { Claim, NodeView } from './wire.ts';

/** The node as it reads with this claim, before the service is asked: what proof says is stronger than any claim. */
export function claimed(node: NodeView, claim: Claim | null): NodeView {
  const isProven = node.status === 'done' || node.status === 'running' || node.status === 'failed';
  const status = isProven ? node.status : claim ? 'claimed' : node.ready ? 'ready' : 'blocked';
  return { ...node, status, claim, claimedBy: claim?.agent ?? null };
}
