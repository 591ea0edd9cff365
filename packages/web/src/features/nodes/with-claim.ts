import { nodeStatus } from 'signalbox/browser/node-status';
import type { Claim, NodeView } from '../../live/wire.ts';

/** The node with this claim, shown until the next answer of the service. */
export function withClaim(node: NodeView, claim: Claim | null): NodeView {
  const before = node.status;
  const proof = before === 'done' || before === 'running' || before === 'failed' ? before : 'open';
  // A claim ends the submission.
  const submission = claim === null ? node.submission : null;
  const blocked = !node.ready && node.submission === null;
  const status = nodeStatus({ proof, claimed: claim !== null, submitted: submission !== null, blocked });
  return { ...node, status, claim, submission, claimedBy: claim?.agent ?? null };
}
