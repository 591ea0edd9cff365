import type { RunSummary } from '../../kernel/run-summary.ts';
import type { Outcome, RunFinish } from './run.ts';

type EndedFigures = Pick<RunSummary, 'failed' | 'indeterminate' | 'lost' | 'orphaned' | 'counted'>;

/**
 * Whether a run is green: it ended with exit code 0, at least one passing verdict was counted, nothing counted is
 * worse than a pass, and its publisher's own figures claim nothing worse either. Null while it is live, and for a run
 * that cannot be read. Everything that asks whether a run passed asks this.
 */
export function greenOf(
  finish: RunFinish | null,
  tally: Readonly<Record<Outcome, number>>,
  { failed, indeterminate, lost, orphaned, counted }: EndedFigures,
): boolean | null {
  if (!finish) return orphaned ? false : null;
  if (!counted) return null;
  const passed = tally.CleanPass + tally.PassOnRetry;
  const worse = [tally.Failed, tally.Aborted, failed, indeterminate, lost];
  return finish.exitCode === 0 && passed > 0 && worse.every((count) => count === 0);
}
