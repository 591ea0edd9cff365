import { expect, test } from 'vitest';
import type { MonitorEvent } from './events.ts';
import { foldEvent } from './fold.ts';
import { newRun } from './run.ts';
import { detailWithoutScenarios, headlineOf, summaryOf } from './run-views.ts';

const runId = 'r-1';
const at = '2026-01-01T10:00:00.000Z';
const facts = { host: 'box', orphaned: false, repositoryName: null, lastEventAt: null, expectedMs: null };
const after = (...events: readonly object[]) => {
  const run = newRun(runId);
  for (const event of events) foldEvent(run, { runId, at, ...event } as unknown as MonitorEvent);
  return { run, summary: summaryOf(headlineOf(run), facts) };
};

const begins = (participant: string, due: number | null, totalScenarios: number | null = null) => ({
  type: 'participant_started',
  participant,
  due,
  totalScenarios,
});
const ends = (participant: string, exitCode: number) => ({
  type: 'participant_finished',
  participant,
  exitCode,
  passed: 9,
  failed: 9,
});
const verdict = (uid: string, outcome: string) => ({ type: 'scenario_finished', uid, outcome, attempts: 1 });
const over = { type: 'run_finished', exitCode: 0, passed: 1, failed: 0, finishedAt: at };

test('a run of shards ends with the last expected one, its figures are counted, and its exit code is the worst', () => {
  const first = [begins('1/2', 2, 1), verdict('a/one', 'CleanPass'), ends('1/2', 0)];
  expect(after(...first).summary).toMatchObject({ state: 'running', totalScenarios: 1 });
  const both = [...first, begins('2/2', 2, 2), verdict('b/two', 'Failed'), ends('2/2', 1)];
  expect(after(...both).summary).toMatchObject({
    state: 'finished',
    exitCode: 1,
    passed: 1,
    failed: 1,
    totalScenarios: 3,
    lost: 1,
  });
});

test('run_finished of the owner does not end a participant that is still running', () => {
  const events = [begins('vitest 7', null), verdict('a/one', 'CleanPass'), over];
  expect(after(...events).summary.state).toBe('running');
  expect(after(...events, ends('vitest 7', 2)).summary).toMatchObject({ state: 'finished', exitCode: 2 });
  expect(after(begins('vitest 7', null), ends('vitest 7', 0)).summary.state).toBe('running');
});

test('two participants never share a lane, and a run without participants is unchanged', () => {
  const lane = (participant: string, uid: string) => ({ type: 'lane_started', lane: 0, uids: [uid], participant });
  const { run } = after(lane('1/2', 'a'), lane('2/2', 'b'), {
    type: 'lane_started',
    lane: 1,
    uids: ['c'],
    participant: '1/2',
  });
  const { lanes } = detailWithoutScenarios(run, { state: 'running' });
  expect(lanes.map(({ lane: number, participant, uids }) => [number, participant, uids[0]])).toEqual([
    [0, '1/2', 'a'],
    [1, '2/2', 'b'],
    [2, '1/2', 'c'],
  ]);
  expect(after(over).summary).toMatchObject({ state: 'finished', passed: 1 });
});

test('the first value of each member of run_started stays, and the total only grows', () => {
  const started = { type: 'run_started', suite: 'unit', branch: 'main', startedAt: at, totalScenarios: 5 };
  const { summary } = after(started, { ...started, suite: 'other', commit: 'abc', totalScenarios: 3 });
  expect(summary).toMatchObject({ suite: 'unit', totalScenarios: 5, commit: 'abc' });
});
