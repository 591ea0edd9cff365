import { expect, test } from 'vitest';
import { isGood, progressLine, type RunLine, runsTable } from './runs-text.ts';

const run: RunLine = {
  runId: 'r1',
  suite: 'specs\u001b[31m',
  branch: null,
  tag: null,
  state: 'running',
  exitCode: null,
  scenarios: 6,
  scenariosFinished: 5,
  totalScenarios: 10,
  passed: 4,
  failed: 1,
  passedOnRetry: 0,
  skipped: 0,
  indeterminate: 0,
  lost: 0,
  startedAt: null,
};

test('progress is a bar with what came out so far, and nothing that moves the cursor', () => {
  expect(progressLine(run, 200)).toBe('specs·[31m [############------------] 5/10  4 passed, 1 failed');
  expect(progressLine({ ...run, scenarios: 0, totalScenarios: null, scenariosFinished: 0 }, 200)).toContain('0/0');
  expect(progressLine(run, 30)).toHaveLength(29);
});

test('a table has one line for each run', () => {
  expect(
    runsTable([run, { ...run, runId: 'r2' }])
      .trim()
      .split('\n'),
  ).toHaveLength(3);
});

test('a run that lost something did not end well, whatever its exit code', () => {
  const good = { ...run, state: 'finished', exitCode: 0, failed: 0 };
  expect(isGood(good)).toBe(true);
  for (const bad of [{ lost: 1 }, { indeterminate: 1 }, { failed: 1 }, { exitCode: 2 }, { state: 'orphaned' }]) {
    expect(isGood({ ...good, ...bad })).toBe(false);
  }
});
