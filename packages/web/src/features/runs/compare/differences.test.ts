import { expect, test } from 'vitest';
import type { RunDetail, ScenarioView } from '../../../live/wire.ts';
import { differencesOf } from './differences.ts';

type Told = [uid: string, outcome: ScenarioView['outcome'], durationMs?: number];
const run = (state: RunDetail['run']['state'], ...scenarios: Told[]): RunDetail =>
  ({
    run: { state },
    scenarios: scenarios.map(([uid, outcome, durationMs = 50]) => ({ uid, outcome, durationMs })),
  }) as unknown as RunDetail;

const kindsOf = (before: RunDetail, after: RunDetail) =>
  differencesOf(before, after).map(({ uid, kind }) => `${uid} ${kind}`);

test('what broke comes first, then what is still broken, gone, slower, fixed and new', () => {
  const before = run(
    'finished',
    ['a', 'Failed'],
    ['b', 'CleanPass'],
    ['c', 'CleanPass'],
    ['d', 'CleanPass'],
    ['e', 'Failed'],
  );
  const after = run(
    'finished',
    ['a', 'CleanPass'],
    ['b', 'Failed'],
    ['d', 'CleanPass', 900],
    ['e', 'Aborted'],
    ['f', 'PassOnRetry'],
  );
  expect(kindsOf(before, after)).toEqual(['b broken', 'e still', 'c missing', 'd slower', 'a fixed', 'f added']);
});

test('two runs that went alike have no differences', () => {
  const one = run('finished', ['a', 'CleanPass'], ['b', 'PassOnRetry', 400], ['c', 'Skipped']);
  expect(kindsOf(one, one)).toEqual([]);
});

test('a scenario that is skipped now did not run, and one that was skipped before is new', () => {
  expect(kindsOf(run('finished', ['a', 'CleanPass']), run('finished', ['a', 'Skipped']))).toEqual(['a missing']);
  expect(kindsOf(run('finished', ['a', 'Skipped']), run('finished', ['a', 'CleanPass']))).toEqual(['a added']);
  expect(kindsOf(run('finished', ['a', 'Skipped']), run('finished'))).toEqual([]);
});

test('slower is half as long again and at least a tenth of a second', () => {
  const before = run('finished', ['tiny', 'CleanPass', 20], ['long', 'CleanPass', 2000]);
  expect(kindsOf(before, run('finished', ['tiny', 'CleanPass', 110], ['long', 'CleanPass', 2900]))).toEqual([]);
  expect(kindsOf(before, run('finished', ['tiny', 'CleanPass', 120], ['long', 'CleanPass', 3001]))).toEqual([
    'tiny slower',
    'long slower',
  ]);
});

test('while the later run is under way nothing is missing yet, and what runs has no verdict', () => {
  const before = run('finished', ['a', 'CleanPass'], ['b', 'CleanPass'], ['c', 'Failed']);
  expect(kindsOf(before, run('running', ['a', null], ['c', 'CleanPass']))).toEqual(['c fixed']);
});

test('a scenario that ended without a verdict counts as failed', () => {
  expect(kindsOf(run('finished', ['a', 'CleanPass']), run('orphaned', ['a', null]))).toEqual(['a broken']);
});
