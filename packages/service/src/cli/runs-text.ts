import type { RunSummary } from '../kernel/run-summary.ts';
import { table, visible } from './table.ts';

export const runsTable = (runs: readonly RunSummary[]): string =>
  table(
    ['RUN', 'SUITE', 'BRANCH', 'STATE', 'DONE', 'RESULT', 'STARTED'],
    runs.map((run) => [
      run.runId,
      run.suite,
      run.branch ?? '-',
      run.state,
      doneOf(run),
      resultOf(run),
      run.startedAt ?? '-',
    ]),
  );

const totalOf = ({ totalScenarios, scenarios }: RunSummary): number => Math.max(totalScenarios ?? 0, scenarios);

const doneOf = (run: RunSummary): string => `${run.scenariosFinished}/${totalOf(run)}`;

/** Only what there is any of; a run without results says so. */
export function resultOf(run: RunSummary): string {
  const parts = [
    [run.passed, 'passed'],
    [run.failed, 'failed'],
    [run.passedOnRetry, 'flaky'],
    [run.skipped, 'skipped'],
    [run.indeterminate, 'indeterminate'],
    [run.lost, 'lost'],
  ] as const;
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, word]) => `${count} ${word}`)
      .join(', ') || 'nothing yet'
  );
}

/** `suite [#####-----] 5/10  4 passed, 1 failed`, cut to the terminal. */
export function progressLine(run: RunSummary, columns: number): string {
  const total = totalOf(run);
  const width = 24;
  const filled = total === 0 ? 0 : Math.round((Math.min(run.scenariosFinished, total) / total) * width);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
  return visible(`${run.suite} ${bar} ${doneOf(run)}  ${resultOf(run)}`).slice(0, Math.max(20, columns - 1));
}
