import type { RecordedEvent } from '../../kernel/event-log.ts';
import type { ClaimProjection } from '../claims/claim-projection.ts';
import type { EvidenceProjection } from '../evidence/evidence-projection.ts';
import { removedNode, unprovenNode } from '../plans/removed-node.ts';

/** Folds what happened to a node's claim and evidence, what follows for them from a change of its plan included. */
export function foldWork(
  event: RecordedEvent,
  { claims, evidence }: { claims: ClaimProjection; evidence: EvidenceProjection },
): void {
  claims.apply(event);
  evidence.apply(event);
  const removed = removedNode(event);
  if (removed) claims.nodeRemoved(removed.key, removed.ended, event.at);
  const unproven = unprovenNode(event);
  if (unproven !== undefined) evidence.forget(unproven);
}
