import { expect, test } from 'vitest';
import type { RunSummary } from '../../live/wire.ts';
import { signalOf, tabIcon, tabTitle } from './run-signals.ts';

const run = (more: Partial<RunSummary>): RunSummary =>
  ({
    ...{
      suite: 'unit',
      state: 'running',
      failed: 0,
      green: null,
      scenarios: 4,
      totalScenarios: 8,
      scenariosFinished: 2,
    },
    ...more,
  }) as RunSummary;

test('the tab of a run begins with its suite, then running, red or green', () => {
  expect(tabTitle(run({}))).toBe('unit ▶ 25 %');
  expect(tabTitle(run({ failed: 1 }))).toBe('unit ✗ 25 % 1 failed');
  expect(tabTitle(run({ state: 'finished', green: true }))).toBe('unit ✓');
  expect(signalOf(run({ state: 'finished', green: false }))).toBe('unclear');
  expect(tabIcon('red')).toContain(encodeURIComponent('#f43964'));
});
