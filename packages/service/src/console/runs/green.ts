import type { RunSummary } from '../../kernel/run-summary.ts';
import type { Outcome, RunFinish } from './run.ts';

type EndedFigures = Pick<RunSummary, 'failed' | 'indeterminate' | 'lost' | 'orphaned' | 'counted'>;
type Tally = Readonly<Record<Outcome, number>>;

export const verdictsIn = (tally: Tally): number => Object.values(tally).reduce((sum, count) => sum + count, 0);

/**
 * Whether only the publisher's closing figures speak of this run: it ended without a single verdict, as publishers send
 * it for the runners of others.
 */
export const isToldInFigures = (finish: RunFinish | null, tally: Tally): finish is RunFinish =>
  finish !== null &&
  verdictsIn(tally) === 0 &&
  finish.passed + finish.passedOnRetry + finish.failed + finish.indeterminate > 0;

/**
 * Whether a run is green: it ended with exit code 0, something passed, and nothing that was counted or claimed is worse
 * than a pass. Null while it is live, for a run that cannot be read, and where all that arrived is well but verdicts are
 * missing. Everything that asks whether a run passed asks this.
 */
export function greenOf(
  finish: RunFinish | null,
  tally: Tally,
  { failed, indeterminate, lost, orphaned, counted }: EndedFigures,
): boolean | null {
  if (!finish) return orphaned ? false : null;
  if (counted === false) return null;
  if (finish.exitCode !== 0 || [tally.Failed, tally.Aborted, failed, indeterminate].some((count) => count > 0))
    return false;
  if (counted === 'figures') return finish.passed + finish.passedOnRetry > 0;
  if (lost > 0 && verdictsIn(tally) > 0) return null;
  return tally.CleanPass + tally.PassOnRetry > 0;
}
