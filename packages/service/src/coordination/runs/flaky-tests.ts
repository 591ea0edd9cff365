import type { TestSummary } from '../../run-contract/test-history.ts';
import type { FlakyTest, RunSummary } from './contract.ts';
import type { RetriedTest } from './ports.ts';

const reasonsAtMost = 5;

/** Flaky tests in the order of a console's history. */
export const flakyTestsIn = (tests: readonly TestSummary[]): FlakyTest[] =>
  tests.map(({ uid, suite, repositoryName, suiteRuns, retried, flipRate, lastRunId, reasons, thisHostOnly }) => ({
    uid,
    suite,
    repositoryName,
    runs: suiteRuns,
    retried,
    flipRate,
    lastRunId,
    reasons: [...reasons],
    ...(thisHostOnly && { thisHostOnly }),
  }));

/** The most often retried first, then those whose verdicts change most. */
export const mostRetriedFirst = (tests: readonly FlakyTest[]): FlakyTest[] =>
  tests.toSorted((a, b) => b.retried - a.retried || b.flipRate - a.flipRate || (a.uid < b.uid ? -1 : 1));

/** The flaky tests of runs for which only retries are known; `runs` are sorted newest first. */
export function flakyTestsOf(runs: ReadonlyArray<{ run: RunSummary; retried: readonly RetriedTest[] }>): FlakyTest[] {
  const suiteKey = (run: RunSummary) => JSON.stringify([run.repositoryId ?? run.repository, run.suite]);
  const suites = new Map<string, number>();
  for (const { run } of runs) suites.set(suiteKey(run), (suites.get(suiteKey(run)) ?? 0) + 1);
  const tests = new Map<string, FlakyTest>();
  for (const { run, retried } of runs) {
    for (const { uid, reasons } of retried) {
      const key = `${suiteKey(run)} ${uid}`;
      const test = tests.get(key) ?? newTest(run, uid, suites.get(suiteKey(run)) ?? 0);
      test.retried += 1;
      const fresh = reasons.filter((reason) => reason !== '' && !test.reasons.includes(reason));
      test.reasons = [...test.reasons, ...fresh].slice(0, reasonsAtMost);
      tests.set(key, test);
    }
  }
  return [...tests.values()];
}

const newTest = ({ suite, repositoryName, runId }: RunSummary, uid: string, runs: number): FlakyTest => ({
  uid,
  suite,
  repositoryName,
  runs,
  retried: 0,
  flipRate: 0,
  lastRunId: runId,
  reasons: [],
});
