import { expect, test } from 'vitest';
import { testsText } from './tests-command.ts';

test('a flaky test is one line with its last verdicts, oldest first', () => {
  const text = testsText(
    [
      {
        repository: '/code/shop',
        repositoryName: 'acme/shop',
        suite: 'unit',
        uid: 'cart.test.ts/totals',
        runs: 8,
        suiteRuns: 9,
        retried: 3,
        flipRate: 0.5,
        failRate: 0.25,
        sinceRunId: null,
        sinceCommit: null,
        sinceAt: null,
        lastRunId: 'a1b2c3d4-0000',
        lastAt: '2026-01-01T09:00:00.000Z',
        medianMs: 12,
        recent: ['CleanPass', 'PassOnRetry', 'Failed', null],
        reasons: [],
      },
    ],
    'flaky',
    Date.UTC(2026, 0, 1, 10),
  );
  expect(text).toMatch(/cart\.test\.ts\/totals +unit +\?Fr\. +3\/8 +25 % +12 ms +-\n/);
  expect(text).toContain('Next: "signalbox open a1b2c3d4"');
  expect(testsText([], 'failing', 0)).toBe('No failing tests in the known runs.\n');
});
