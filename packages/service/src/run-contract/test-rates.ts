import type { TestHistoryView, TestOrder, TestSummary, TestVerdict } from './test-history.ts';

type Judged = Pick<TestVerdict, 'runId' | 'branch' | 'commit' | 'outcome'>;
export type TestRates = Omit<TestHistoryView, 'items' | 'thisHostOnly'>;

const hasFailed = ({ outcome }: Judged): boolean => outcome === null || outcome === 'Failed' || outcome === 'Aborted';

/** The rates of one test; `items` are sorted newest first. Skipped runs do not count. */
export function ratesOf(items: readonly Judged[]): TestRates {
  const judged = items.filter(({ outcome }) => outcome !== 'Skipped');
  const lastOnBranch = new Map<string | null, boolean>();
  let failures = 0;
  let flips = 0;
  let pairs = 0;
  for (const item of judged) {
    const failed = hasFailed(item);
    const later = lastOnBranch.get(item.branch);
    lastOnBranch.set(item.branch, failed);
    if (failed) failures += 1;
    if (later === undefined) continue;
    pairs += 1;
    if (later !== failed) flips += 1;
  }
  const end = judged.findIndex((item) => !hasFailed(item));
  const since = judged[(end < 0 ? judged.length : end) - 1];
  return {
    flipRate: pairs === 0 ? 0 : flips / pairs,
    failRate: judged.length === 0 ? 0 : failures / judged.length,
    sinceRunId: since?.runId ?? null,
    sinceCommit: since?.commit ?? null,
  };
}

/** A test is flaky if it was retried, or if its verdict changed back and forth. */
const flakiness = ({ retried, flipRate, runs }: TestSummary): number => retried + flipRate * Math.max(0, runs - 1);
export const isFlaky = (test: TestSummary): boolean => test.retried > 0 || flakiness(test) >= 2;

/** The tests that an order selects, sorted by it. */
export function orderTests(tests: readonly TestSummary[], by: TestOrder): TestSummary[] {
  if (by === 'slowest') return tests.toSorted((a, b) => (b.medianMs ?? 0) - (a.medianMs ?? 0) || byName(a, b));
  if (by === 'failing') {
    const failing = tests.filter(({ sinceRunId }) => sinceRunId !== null);
    return failing.sort((a, b) => order(b.sinceAt ?? '', a.sinceAt ?? '') || byName(a, b));
  }
  return tests.filter(isFlaky).sort((a, b) => flakiness(b) - flakiness(a) || byName(a, b));
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const byName = (a: TestSummary, b: TestSummary): number => order(a.uid, b.uid);
