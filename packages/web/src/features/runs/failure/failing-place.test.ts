import { expect, test } from 'vitest';
import type { ScenarioView } from '../../../live/wire.ts';
import { failingPlaceOf } from './failing-place.ts';

const scenario = (more: Partial<ScenarioView>): ScenarioView =>
  ({
    ...{ uid: 'a/b', attempt: 1, outcome: 'Failed', durationMs: 5, errorMessage: null, steps: [], errors: [] },
    ...{ skipReason: null, stdout: [], stderr: [], stdoutMs: [], stderrMs: [], attemptsHistory: [] },
    ...{ file: 'src/totals.test.ts', line: 116 },
    ...more,
  }) as unknown as ScenarioView;

test('a failing test is listed at the line that broke, as its panel shows it', () => {
  const errorMessage = 'expected 7 to be 8\n    at total (src/totals.test.ts:118:7)';
  expect(failingPlaceOf(scenario({ errorMessage }))).toMatchObject({ file: 'src/totals.test.ts', line: 118 });
});

test('without a place in its message it is listed where it is written, if that is known', () => {
  expect(failingPlaceOf(scenario({ errorMessage: 'no stack' }))).toEqual({ file: 'src/totals.test.ts', line: 116 });
  expect(failingPlaceOf(scenario({ errorMessage: 'no stack', file: null, line: null }))).toBeNull();
});
