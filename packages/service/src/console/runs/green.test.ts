import { expect, test } from 'vitest';
import { greenOf, hasOnlyFigures } from './green.ts';
import type { RunFinish } from './run.ts';

const finish = (more: Partial<RunFinish> = {}): RunFinish => ({
  exitCode: 0,
  passed: 2,
  failed: 0,
  passedOnRetry: 0,
  indeterminate: 0,
  skipped: 0,
  interrupted: null,
  fromParticipants: false,
  finishedAt: null,
  ...more,
});
const none = { CleanPass: 0, PassOnRetry: 0, Failed: 0, Aborted: 0, Skipped: 0 };
const passed = { ...none, CleanPass: 2 };
const figures = { failed: 0, indeterminate: 0, lost: 0, orphaned: false, counted: true };

test('a run is green if it ended with exit code 0, something passed and nothing is worse', () => {
  expect(greenOf(finish(), passed, figures)).toBe(true);
  expect(greenOf(finish(), { ...none, PassOnRetry: 1, Skipped: 3 }, figures)).toBe(true);
});

test('if there are verdicts, passes are counted and the closing figures are not enough', () => {
  expect(greenOf(finish({ passed: 412 }), none, figures)).toBe(false);
  expect(greenOf(finish({ skipped: 2 }), { ...none, Skipped: 2 }, figures)).toBe(false);
});

test('a run without a verdict is judged by its closing figures', () => {
  const onlyFigures = { ...figures, counted: 'figures' } as const;
  expect(hasOnlyFigures(finish(), none)).toBe(true);
  expect(hasOnlyFigures(finish({ passed: 0 }), none)).toBe(false);
  expect(hasOnlyFigures(finish(), { ...none, Skipped: 1 })).toBe(false);
  expect(hasOnlyFigures(null, none)).toBe(false);
  expect(greenOf(finish(), none, onlyFigures)).toBe(true);
  expect(greenOf(finish({ passed: 0, passedOnRetry: 1 }), none, onlyFigures)).toBe(true);
  expect(greenOf(finish({ passed: 0, failed: 1 }), none, { ...onlyFigures, failed: 1 })).toBe(false);
  expect(greenOf(finish({ exitCode: 1 }), none, onlyFigures)).toBe(false);
});

test('one result worse than a pass, counted or in the closing figures, is enough', () => {
  expect(greenOf(finish(), { ...passed, Failed: 1 }, figures)).toBe(false);
  expect(greenOf(finish(), { ...passed, Aborted: 1 }, figures)).toBe(false);
  for (const member of ['failed', 'indeterminate'] as const)
    expect(greenOf(finish(), passed, { ...figures, [member]: 1 })).toBe(false);
  expect(greenOf(finish({ exitCode: 1 }), passed, { ...figures, lost: 1 })).toBe(false);
  expect(greenOf(finish({ exitCode: null }), passed, figures)).toBe(false);
});

test('a run is neither green nor red if verdicts are missing and everything else is fine', () => {
  expect(greenOf(finish(), passed, { ...figures, lost: 1 })).toBeNull();
  expect(greenOf(finish(), { ...passed, Failed: 1 }, { ...figures, lost: 1 })).toBe(false);
});

test('a live run is neither green nor red, an orphaned one is red, and an unreadable one is not judged', () => {
  expect(greenOf(null, passed, figures)).toBeNull();
  expect(greenOf(null, passed, { ...figures, orphaned: true })).toBe(false);
  expect(greenOf(finish(), passed, { ...figures, counted: false })).toBeNull();
});
