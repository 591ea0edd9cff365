import { z } from 'zod';
import { type RunSummary, runSummary } from './run-summary.ts';

/** How many runs of a suite are told, the newest. */
const runsTold = 50;

const { runId, receivedAt, branch, commit, state, green } = runSummary.shape;

export const suiteSummary = z
  .object({
    repository: runSummary.shape.repository,
    repositoryName: runSummary.shape.repositoryName,
    suite: runSummary.shape.suite,
    expectedMs: runSummary.shape.expectedMs,
    runs: z
      .array(z.object({ runId, receivedAt, branch, commit, state, green, durationMs: z.int().nullable() }))
      .describe('The newest 50, the last received first'),
  })
  .meta({ id: 'SuiteSummary' });
export type SuiteSummary = z.output<typeof suiteSummary>;

/** What is known of each suite of each repository; runs come newest first, and so do the suites. */
export function suitesOf(summaries: Iterable<RunSummary>): SuiteSummary[] {
  const suites = new Map<string, SuiteSummary>();
  for (const run of summaries) {
    const { repository, repositoryName, suite: name, expectedMs } = run;
    const key = JSON.stringify([repository, name]);
    const suite = suites.get(key) ?? { repository, repositoryName, suite: name, expectedMs, runs: [] };
    suites.set(key, suite);
    if (suite.runs.length < runsTold) suite.runs.push(runOf(run));
  }
  return [...suites.values()];
}

const runOf = (run: RunSummary): SuiteSummary['runs'][number] => {
  const { runId, receivedAt, branch, commit, state, green, startedAt, finishedAt } = run;
  const durationMs =
    startedAt === null || finishedAt === null ? null : Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
  return { runId, receivedAt, branch, commit, state, green, durationMs };
};
