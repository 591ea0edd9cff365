import type { RunSummary } from '../kernel/run-summary.ts';
import { agoText } from './figures.ts';
import { table, visible } from './table.ts';

export function runsText(runs: readonly RunSummary[], now: number): string {
  if (runs.length === 0)
    return 'No runs yet. Publish one: "signalbox connect --tests" in a project, or "signalbox run -- <test command>".\n';
  const rows = runs.map((run) => [
    run.runId,
    run.suite,
    run.branch ?? '-',
    verdictOf(run),
    doneOf(run),
    resultOf(run),
    run.startedAt === null ? '-' : agoText(run.startedAt, now),
  ]);
  const worst = runs.find(({ green }) => green === false) ?? runs[0];
  const next = `\nNext: "signalbox summary ${worst?.runId.slice(0, 8)}" lists what failed, "signalbox open ${worst?.runId.slice(0, 8)}" opens the page.\n`;
  return table(['RUN', 'SUITE', 'BRANCH', 'STATE', 'DONE', 'RESULT', 'STARTED'], rows) + next;
}

export const verdictOf = ({ state, green }: RunSummary): string =>
  state !== 'finished' ? state : green === null ? 'incomplete' : green ? 'passed' : 'failed';

const totalOf = ({ totalScenarios, scenarios }: RunSummary): number => Math.max(totalScenarios ?? 0, scenarios);

const doneOf = (run: RunSummary): string => `${run.scenariosFinished}/${totalOf(run)}`;

/** Only the counts above zero, or "no results". */
export function resultOf(run: RunSummary): string {
  const parts = [
    [run.passed, 'passed'],
    [run.failed, 'failed'],
    [run.passedOnRetry, 'passed on retry'],
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
