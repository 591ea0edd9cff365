import { expect, test } from 'vitest';
import { runSample } from '../../../../tests/samples.ts';
import { progressLine, runsText } from './runs-text.ts';

const run = runSample({
  suite: 'specs\u001b[31m',
  state: 'running',
  scenarios: 6,
  scenariosFinished: 5,
  totalScenarios: 10,
  passed: 4,
  failed: 1,
});

test('progress is a bar with the results so far, without control characters', () => {
  expect(progressLine(run, 200)).toBe('specs·[31m [############------------] 5/10  4 passed, 1 failed');
  expect(progressLine({ ...run, scenarios: 0, totalScenarios: null, scenariosFinished: 0 }, 200)).toContain('0/0');
  expect(progressLine(run, 30)).toHaveLength(29);
});

test('a table has one line for each run and suggests a command for the one that failed', () => {
  const failed = { ...run, runId: 'f0000000-1', green: false, state: 'finished' as const };
  const lines = runsText([run, failed], Date.now()).trim().split('\n');
  expect(lines).toHaveLength(5);
  expect(lines.at(-1)).toBe(
    'Next: "signalbox summary f0000000" lists what failed, "signalbox open f0000000" opens the page.',
  );
  expect(runsText([], Date.now())).toContain('signalbox connect --tests');
});
