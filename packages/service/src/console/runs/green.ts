import type { RunSummary } from '../../kernel/run-summary.ts';
import type { Outcome, RunFinish } from './run.ts';

type EndedFigures = Pick<RunSummary, 'failed' | 'indeterminate' | 'lost' | 'orphaned' | 'counted'>;
type Tally = Readonly<Record<Outcome, number>>;

export const verdictsIn = (tally: Tally): number => Object.values(tally).reduce((sum, count) => sum + count, 0);

/** Whether the run ended with the publisher's closing figures and without a single verdict, as publishers of other runners send it. */
export const hasOnlyFigures = (finish: RunFinish | null, tally: Tally): finish is RunFinish =>
  finish !== null &&
  verdictsIn(tally) === 0 &&
  finish.passed + finish.passedOnRetry + finish.failed + finish.indeterminate > 0;

/**
 * Whether a run is green: exit code 0, at least one pass, and nothing worse than a pass, neither counted nor in the closing
 * figures. Null while the run is live, if it cannot be read, and if everything that arrived is fine but verdicts are missing.
 * This is the only place that decides whether a run passed.
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
