import type { Submission } from '../claims/submission.ts';
import { type Evidence, type Proof, proofOf } from '../evidence/node-evidence.ts';

/** How new evidence ends an earlier submission; null if it decides nothing. */
export function judgeSubmission(
  { at }: Pick<Submission, 'at'>,
  before: Evidence | undefined,
  evidence: Evidence | undefined,
): Submission['settled'] {
  if (!evidence) return null;
  const proof = proofOf(evidence);
  if (proof === 'done') return 'proven';
  const isRefused = evidence.provenance === 'asserted' && evidence.state === 'notSigned';
  return isRefused || (proof === 'failed' && !isOfEarlierRun(at, before, evidence)) ? 'contradicted' : null;
}

/** A run that arrived before the submission and was not seen live does not count for it, even if it is observed later. */
function isOfEarlierRun(at: string, before: Evidence | undefined, { settledBy, runId }: Evidence): boolean {
  const arrivedAt = settledBy?.receivedAt ?? null;
  const wasLive = before?.state === 'running' && before.runId === runId;
  return arrivedAt !== null && arrivedAt <= at && !wasLive;
}

/** During a submission only later observations count. */
export const proofSince = (at: string, evidence: Evidence | null): Proof =>
  evidence !== null && proofOf(evidence) === 'running' && (evidence.observedAt ?? '') >= at ? 'running' : 'open';
