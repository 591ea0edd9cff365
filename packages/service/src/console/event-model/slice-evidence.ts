import type { Evidence, Slice } from './contract.ts';
import type { Verdicts } from './ports.ts';
import type { EvidenceState, VerdictOutcome } from './vocabulary.ts';

export const isPass = (outcome: VerdictOutcome): boolean => outcome === 'CleanPass' || outcome === 'PassOnRetry';

/** What the runs say about a slice: its specifications' newest verdicts, one by one and together. */
export function evidenceOf(slice: Slice, verdicts: Verdicts): Evidence {
  const specifications = slice.specifications.map(({ identity }) => {
    const verdict = verdicts.newest(identity);
    return {
      identity,
      outcome: verdict?.outcome ?? null,
      at: verdict?.at ?? null,
      runId: verdict?.runId ?? null,
    };
  });
  return { state: stateOf(specifications.map(({ outcome }) => outcome)), specifications };
}

function stateOf(outcomes: readonly (VerdictOutcome | null)[]): EvidenceState {
  if (outcomes.length === 0) return 'noSpec';
  if (outcomes.some((outcome) => outcome !== null && !isPass(outcome))) return 'failing';
  return outcomes.includes(null) ? 'noEvidence' : 'verified';
}
