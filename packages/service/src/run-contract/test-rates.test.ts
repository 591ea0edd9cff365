import { expect, test } from 'vitest';
import type { TestSummary } from './test-history.ts';
import { orderTests, ratesOf } from './test-rates.ts';

const outcomes = { p: 'CleanPass', r: 'PassOnRetry', f: 'Failed', s: 'Skipped', '-': null } as const;

/** Newest first, as everywhere: `fp` fails now and passed before. */
const verdicts = (letters: string, branch = 'main') =>
  [...letters].map((letter, index) => ({
    runId: `${branch}${letters.length - index}`,
    at: `2026-01-01T00:00:${String(60 - index).padStart(2, '0')}.000Z`,
    branch,
    commit: `c${letters.length - index}`,
    outcome: outcomes[letter as keyof typeof outcomes],
    durationMs: 1,
    attempts: 1,
  }));

test('a failing test has the first run and commit of its streak', () => {
  expect(ratesOf(verdicts('ff-pp'))).toEqual({
    flipRate: 1 / 4,
    failRate: 3 / 5,
    sinceRunId: 'main3',
    sinceCommit: 'c3',
  });
  expect(ratesOf(verdicts('pf'))).toMatchObject({ sinceRunId: null, flipRate: 1 });
});

test('a skipped run does not count, and a test without runs has no rates', () => {
  expect(ratesOf(verdicts('fsp'))).toMatchObject({ failRate: 0.5, flipRate: 1, sinceRunId: 'main3' });
  expect(ratesOf([])).toEqual({ flipRate: 0, failRate: 0, sinceRunId: null, sinceCommit: null });
});

test('a failing branch beside a passing one is not a flip', () => {
  const [a, b] = [verdicts('pp'), verdicts('ff', 'topic')];
  expect(ratesOf([a[0], b[0], a[1], b[1]].flatMap((one) => one ?? []))).toMatchObject({ flipRate: 0 });
});

const summary = (uid: string, more: Partial<TestSummary>): TestSummary => ({
  repository: '/r',
  repositoryName: null,
  suite: 's',
  uid,
  runs: 11,
  suiteRuns: 11,
  retried: 0,
  flipRate: 0,
  failRate: 0,
  sinceRunId: null,
  sinceCommit: null,
  sinceAt: null,
  lastRunId: 'r',
  lastAt: '',
  medianMs: 1,
  recent: [],
  reasons: [],
  ...more,
});

test('flaky tests were retried or changed back and forth; failing tests fail now, newest first', () => {
  const tests = [
    summary('calm', { medianMs: 9 }),
    summary('broke once', { flipRate: 0.1, sinceRunId: 'r1', sinceAt: '1', failRate: 0.5 }),
    summary('flips', { flipRate: 0.5 }),
    summary('retried', { retried: 7 }),
    summary('broke later', { sinceRunId: 'r2', sinceAt: '2' }),
  ];
  expect(orderTests(tests, 'flaky').map(({ uid }) => uid)).toEqual(['retried', 'flips']);
  expect(orderTests(tests, 'failing').map(({ uid }) => uid)).toEqual(['broke later', 'broke once']);
  expect(orderTests(tests, 'slowest')[0]?.uid).toBe('calm');
});
