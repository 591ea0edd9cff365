import { expect, test } from 'vitest';
import type { ScenarioView } from '../../../live/wire.ts';
import type { Difference } from './differences.ts';
import { reasonsOf } from './reasons.ts';

const now = Date.parse('2026-01-03T00:00:00Z');
const scenario = (more: Partial<ScenarioView>) =>
  ({ outcome: 'CleanPass', errorMessage: null, ...more }) as ScenarioView;
const difference = (
  kind: Difference['kind'],
  before: Partial<ScenarioView> | null,
  after: Partial<ScenarioView> | null,
) => ({
  uid: 'a',
  kind,
  before: before && scenario(before),
  after: after && scenario(after),
});
const steady = { runs: 20, retried: 0, flipRate: 0, sinceAt: null, sinceCommit: null };
const flaky = { ...steady, retried: 3, flipRate: 0.25 };

test('a new failure shows what broke, what it was before, and whether it was flaky', () => {
  const broken = { outcome: 'Failed', errorMessage: 'expected 7 to be 8\nat line 3' } as const;
  expect(reasonsOf(difference('broken', {}, broken), steady, now)).toEqual(['expected 7 to be 8']);
  expect(reasonsOf(difference('broken', null, broken), flaky, now)).toEqual([
    'expected 7 to be 8',
    'not in the other run',
    'flaky before: retried in 3 of 20 runs, changed in 5 of 19',
  ]);
  expect(reasonsOf(difference('broken', { outcome: 'Skipped' }, { outcome: null }), undefined, now)).toEqual([
    'no verdict',
    'was skipped before',
  ]);
});

test('what still fails tells since when, and whether the error changed', () => {
  const [one, other] = [
    { outcome: 'Failed', errorMessage: 'one' },
    { outcome: 'Failed', errorMessage: 'other' },
  ] as const;
  const facts = { ...steady, sinceAt: '2026-01-01T00:00:00Z', sinceCommit: '0123456789ab' };
  expect(reasonsOf(difference('still', one, other), facts, now)).toEqual([
    'failing for 2 d, since 01234567',
    'a different error than before',
    'other',
  ]);
});

test('a slower test is measured against its usual length where that is known', () => {
  const slower = (expectedMs: number | null) =>
    reasonsOf(difference('slower', { durationMs: 200 }, { durationMs: 900, expectedMs }), steady, now);
  expect(slower(300)).toEqual(['600 ms more than usual, 3.0 × 300 ms']);
  expect(slower(null)).toEqual(['700 ms more, 4.5 × before']);
  expect(slower(880)).toEqual(['it usually takes 880 ms; the other run was faster']);
});

test('a fixed test that flips, or passed only on retry, says so', () => {
  expect(reasonsOf(difference('fixed', { outcome: 'Failed' }, {}), steady, now)).toEqual(['failed before, passes now']);
  expect(reasonsOf(difference('fixed', { outcome: 'Failed' }, { outcome: 'PassOnRetry' }), flaky, now)).toEqual([
    'passed only on retry',
    'flaky before: retried in 3 of 20 runs, changed in 5 of 19',
  ]);
});

test('what is missing or added tells whether it was skipped', () => {
  expect(reasonsOf(difference('missing', {}, null), steady, now)).toEqual(['not in this run']);
  expect(reasonsOf(difference('missing', {}, { outcome: 'Skipped', skipReason: 'slow' }), steady, now)).toEqual([
    'skipped now: slow',
  ]);
  expect(reasonsOf(difference('added', null, {}), steady, now)).toEqual(['not in the other run']);
});
