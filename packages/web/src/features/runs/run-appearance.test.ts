import { expect, test } from 'vitest';
import type { RunSummary } from '../../live/wire.ts';
import { exitedWithoutFailures, runAppearance } from './run-appearance.ts';

const run = { state: 'finished', exitCode: 0, passed: 3, failed: 0, indeterminate: 0, lost: 0, passedOnRetry: 0 };
const like = (change: object) => ({ ...run, ...change }) as RunSummary;

test('a run in which nothing failed is no good run where its process says otherwise', () => {
  expect([like({}), like({ state: 'running', exitCode: null })].map(exitedWithoutFailures)).toEqual([false, false]);
  expect([like({ exitCode: 1 }), like({ exitCode: null })].map(exitedWithoutFailures)).toEqual([true, true]);
  expect([like({ exitCode: 1, failed: 2 }), like({ exitCode: 1, lost: 1 })].map(exitedWithoutFailures)).toEqual([
    false,
    false,
  ]);
  expect(runAppearance(like({ exitCode: 1, green: false })).label).toBe('Indeterminate');
});
