import type { Submission } from '../claims/submission.ts';
import { type Evidence, type Proof, proofOf } from '../evidence/node-evidence.ts';

/** What new evidence says of work that was handed in before it was seen; null where it decides nothing. */
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

/** A run that had arrived, and was not seen live, when the work was handed in says nothing of it, however late it is looked at. */
function isOfEarlierRun(at: string, before: Evidence | undefined, { settledBy, runId }: Evidence): boolean {
  const arrivedAt = settledBy?.receivedAt ?? null;
  const wasLive = before?.state === 'running' && before.runId === runId;
  return arrivedAt !== null && arrivedAt <= at && !wasLive;
}

/** While a submission stands, only what was seen since then counts. */
export const proofSince = (at: string, evidence: Evidence | null): Proof =>
  evidence !== null && proofOf(evidence) === 'running' && (evidence.observedAt ?? '') >= at ? 'running' : 'open';
