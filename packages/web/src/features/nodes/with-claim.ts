import { nodeStatus } from 'signalbox/browser/node-status';
import type { Claim, NodeView } from '../../live/wire.ts';

/** The node with this claim, shown until the service is read again. */
export function withClaim(node: NodeView, claim: Claim | null): NodeView {
  const before = node.status;
  const proof = before === 'done' || before === 'running' || before === 'failed' ? before : 'open';
  const status = nodeStatus({ proof, claimed: claim !== null, blocked: !node.ready });
  return { ...node, status, claim, claimedBy: claim?.agent ?? null };
}
