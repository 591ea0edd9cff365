import type { FlakyTest, RunSummary } from './contract.ts';
import type { RetriedTest } from './ports.ts';

const reasonsAtMost = 5;

/** Tests that were retried, over all the runs that are known; the most often retried first. `runs` come newest first. */
export function flakyTestsOf(runs: ReadonlyArray<{ run: RunSummary; retried: readonly RetriedTest[] }>): FlakyTest[] {
  const suiteKey = (run: RunSummary) => JSON.stringify([run.repository, run.suite]);
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
  return [...tests.values()].sort((a, b) => b.retried - a.retried || (a.uid < b.uid ? -1 : 1));
}

const newTest = ({ suite, repositoryName, runId }: RunSummary, uid: string, runs: number): FlakyTest => ({
  uid,
  suite,
  repositoryName,
  runs,
  retried: 0,
  lastRunId: runId,
  reasons: [],
});
