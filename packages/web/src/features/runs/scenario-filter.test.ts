import { expect, test } from 'vitest';
import type { ScenarioView } from '../../live/wire.ts';
import { completions, scenarioFilter, wordsIn } from './scenario-filter.ts';

const scenario = (more: Partial<ScenarioView>): ScenarioView =>
  ({
    ...{ uid: 'u', feature: 'tests/cart.test.ts', scenario: 'cart > adds up', outcome: 'CleanPass', attempt: 1 },
    ...{
      durationMs: 20,
      file: 'tests/cart.test.ts',
      path: ['cart', 'adds up'],
      tags: ['@smoke'],
      lane: 2,
      todo: false,
    },
    ...{ errors: [], errorMessage: null, project: null },
    ...more,
  }) as ScenarioView;
const fits = (filter: string, more: Partial<ScenarioView> = {}) => scenarioFilter(filter)(scenario(more));

test('plain words must all be in the name, and quotes keep spaces together', () => {
  expect([fits(''), fits('cart ADDS'), fits('cart missing'), fits('"adds up"'), fits('"up adds"')]).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  expect(wordsIn('a "b c" d:"e f"')).toEqual(['a', 'b c', 'd:e f']);
});

test('status, file, suite, tag, lane, project, error and length each narrow the list', () => {
  expect(fits('status:failed', { outcome: 'Aborted' })).toBe(true);
  expect(fits('status:failed')).toBe(false);
  expect(fits('file:cart suite:cart tag:smoke @smoke lane:2')).toBe(true);
  expect(fits('lane:l3')).toBe(false);
  expect(fits('project:dark', { project: 'dark' })).toBe(true);
  expect(fits('error:timeout', { errorMessage: 'Timeout of 5 s' })).toBe(true);
  expect([fits('>5s', { durationMs: 5_001 }), fits('>5s'), fits('<1s'), fits('>10ms')]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test('a minus means the opposite, and what is to do is not skipped', () => {
  expect([fits('-file:cart'), fits('-flaky'), fits('flaky', { attempt: 2 })]).toEqual([false, true, true]);
  expect(fits('status:skipped', { outcome: 'Skipped', todo: true })).toBe(false);
  expect(fits('status:todo', { outcome: 'Skipped', todo: true })).toBe(true);
});

test('the last word is completed by what the run has', () => {
  const known = { files: ['tests/a b.ts'], tags: ['@smoke'] };
  expect(completions('cart st', known)).toEqual([
    ...['failed', 'passed', 'retried', 'skipped', 'todo', 'lost'].map((one) => `cart status:${one}`),
    'cart status:',
  ]);
  expect(completions('-tag:', known)).toEqual(['-tag:@smoke']);
  expect(completions('file:', known)).toEqual(['"file:tests/a b.ts"']);
});
