import { table, visible } from './table.ts';

/** What the command line shows of a run. */
export type RunLine = {
  runId: string;
  suite: string;
  branch: string | null;
  tag: string | null;
  state: string;
  exitCode: number | null;
  scenarios: number;
  scenariosFinished: number;
  totalScenarios: number | null;
  passed: number;
  failed: number;
  passedOnRetry: number;
  skipped: number;
  indeterminate: number;
  lost: number;
  startedAt: string | null;
};

export const runsTable = (runs: readonly RunLine[]): string =>
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

const totalOf = ({ totalScenarios, scenarios }: RunLine): number => Math.max(totalScenarios ?? 0, scenarios);

const doneOf = (run: RunLine): string => `${run.scenariosFinished}/${totalOf(run)}`;

/** Only what there is any of; a run without results says so. */
export function resultOf(run: RunLine): string {
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
export function progressLine(run: RunLine, columns: number): string {
  const total = totalOf(run);
  const width = 24;
  const filled = total === 0 ? 0 : Math.round((Math.min(run.scenariosFinished, total) / total) * width);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}]`;
  return visible(`${run.suite} ${bar} ${doneOf(run)}  ${resultOf(run)}`).slice(0, Math.max(20, columns - 1));
}

/** A run that ended well: finished with 0 and nothing left in the dark. */
export const isGood = (run: RunLine): boolean =>
  run.state === 'finished' && run.exitCode === 0 && run.failed === 0 && run.indeterminate === 0 && run.lost === 0;
