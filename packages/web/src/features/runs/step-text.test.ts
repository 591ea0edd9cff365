import { expect, test } from 'vitest';
import { errorText, stepsNotBegun } from './step-text.ts';

const declaredSteps = [{ text: 'one' }, { text: 'two' }, { text: 'three' }];
const step = (declaredStepNumber: number | null) => ({ declaredStepNumber });

test('steps that were never begun are those behind the last one begun, by number where steps have one', () => {
  expect(stepsNotBegun({ declaredSteps }, [step(null), step(null)])).toEqual([{ keyword: null, text: 'three' }]);
  expect(stepsNotBegun({ declaredSteps }, [step(null), step(1), step(1), step(null)])).toEqual([
    { keyword: null, text: 'two' },
    { keyword: null, text: 'three' },
  ]);
});

const none = { errorMessage: null, exceptionType: null, stackTrace: null, stackFrames: [], hiddenStackFrames: 0 };

test('a failed step tells the place that came beside its message, and no place twice', () => {
  expect(errorText(none)).toBeNull();
  const withError = { ...none, errorMessage: 'gateway timeout', exceptionType: 'TimeoutException' };
  expect(errorText({ ...withError, stackTrace: '   at Pay() in Pay.cs:42' })).toBe(
    'TimeoutException: gateway timeout\n   at Pay() in Pay.cs:42',
  );
  expect(
    errorText({ ...withError, stackTrace: 'long', stackFrames: ['Pay() in Pay.cs:42'], hiddenStackFrames: 3 }),
  ).toBe('TimeoutException: gateway timeout\n   at Pay() in Pay.cs:42\n   and 3 more');
  const inside = 'gateway timeout\n  at Pay() in Pay.cs:42';
  expect(errorText({ ...none, errorMessage: inside, stackTrace: '   at Pay() in Pay.cs:42' })).toBe(inside);
});
