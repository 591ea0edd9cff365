import { z } from 'zod';
import { type RunState, type RunSummary, runSummary } from '../kernel/run-summary.ts';
import { hasText, type RunSearch } from './run-search.ts';

/** How many of the newest runs of a suite are listed. */
const runsListed = 50;

const { runId, receivedAt, startedAt, branch, commit, state, green } = runSummary.shape;

export const suiteSummary = z
  .object({
    repository: runSummary.shape.repository,
    repositoryName: runSummary.shape.repositoryName,
    suite: runSummary.shape.suite,
    expectedMs: runSummary.shape.expectedMs,
    runs: z
      .array(z.object({ runId, receivedAt, startedAt, branch, commit, state, green, durationMs: z.int().nullable() }))
      .describe('The newest 50, most recently received first'),
  })
  .meta({ id: 'SuiteSummary' });
export type SuiteSummary = z.output<typeof suiteSummary>;

/**
 * Every suite of every repository with its runs; both are sorted newest first. A run recorded before repositories had
 * ids belongs to the repository that is now at its path.
 */
export function suitesOf(summaries: Iterable<RunSummary>): SuiteSummary[] {
  const suites = new Map<string, SuiteSummary>();
  const runs = [...summaries];
  const ids = new Map(
    runs.flatMap(({ repository, repositoryId, suite }) =>
      repositoryId ? [[`${repository}\n${suite}`, repositoryId]] : [],
    ),
  );
  for (const run of runs) {
    const { repository, repositoryName, repositoryId, suite: name, expectedMs } = run;
    const key = `${repositoryId ?? ids.get(`${repository}\n${name}`) ?? repository}\n${name}`;
    const suite = suites.get(key) ?? { repository, repositoryName, suite: name, expectedMs, runs: [] };
    suites.set(key, suite);
    if (suite.runs.length < runsListed) suite.runs.push(runOf(run));
  }
  return [...suites.values()];
}

export type SuiteSearch = RunSearch & { state?: RunState | undefined };

/** Whether one of its last runs contains the text and is in the state; `failed` is about the last run that ended. */
export function isSuiteFound(one: SuiteSummary, { search, failed, state }: SuiteSearch): boolean {
  const { suite, repository, repositoryName, runs } = one;
  if (state !== undefined && !runs.some((run) => run.state === state)) return false;
  if (failed !== undefined && isRed(one) !== failed) return false;
  if (search === undefined) return true;
  return runs.some((run) => hasText({ ...run, suite, repository, repositoryName, tag: null }, search));
}

const isRed = ({ runs }: SuiteSummary): boolean => runs.find(({ state }) => state !== 'running')?.green === false;

const runOf = (run: RunSummary): SuiteSummary['runs'][number] => {
  const { runId, receivedAt, branch, commit, state, green, startedAt, finishedAt } = run;
  const durationMs =
    startedAt === null || finishedAt === null ? null : Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt));
  return { runId, receivedAt, startedAt, branch, commit, state, green, durationMs };
};
