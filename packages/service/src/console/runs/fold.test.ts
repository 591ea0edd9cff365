import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runDetail } from './contract.ts';
import { foldEvent } from './fold.ts';
import { readEvent } from './read-event.ts';
import { newRun, type Run } from './run.ts';
import { detailOf, headlineOf, summaryOf } from './run-views.ts';

const recorded = join(import.meta.dirname, '../../../../../tests/fixtures/archives/bobcat-supervised.ndjson');
const events: object[] = readFileSync(recorded, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

function fold(stream: readonly object[], run: Run = newRun('r')): Run {
  for (const raw of stream) {
    const taken = readEvent(raw);
    if (typeof taken === 'string') throw new Error(taken);
    if (taken.event) foldEvent(run, taken.event);
  }
  return run;
}

const around = { host: 'here', orphaned: false, repositoryName: null, lastEventAt: null, expectedMs: null };
const seen = (run: Run) => detailOf(run, summaryOf(headlineOf(run), around), () => null);
const of = (...stream: object[]) => seen(fold(stream.map((event) => ({ runId: 'r', ...event }))));

const batches = (size: number): object[][] =>
  Array.from({ length: Math.ceil(events.length / size) }, (_, index) => events.slice(index * size, (index + 1) * size));

test('a supervised run reads as its events say', () => {
  const { run, scenarios, lanes, recycles, workerFaults, stalls, progress } = seen(fold(events));
  expect(run).toMatchObject({
    suite: 'Checkout.Specs',
    state: 'finished',
    exitCode: 2,
    scenarios: 13,
    scenariosFinished: 12,
    totalScenarios: 14,
    running: 0,
    passed: 3,
    failed: 4,
    passedOnRetry: 3,
    skipped: 2,
    indeterminate: 1,
    lost: 1,
    startedAt: '2026-11-15T10:00:00.000Z',
  });
  expect(scenarios.map(({ scenario, outcome, attempt }) => [scenario, outcome, attempt])).toEqual([
    ['OrderTests cancels', 'Failed', 1],
    ['OrderTests later', 'Skipped', 1],
    ['OrderTests pays', 'CleanPass', 1],
    ['OrderTests ships', 'PassOnRetry', 2],
    ['Adding an item', 'CleanPass', 1],
    ['Emptying the cart', 'Skipped', 1],
    ['Removing an item', 'CleanPass', 1],
    ['Paying by card', 'PassOnRetry', 2],
    ['Paying twice', null, 1],
    ['Refunding', 'Failed', 2],
    ['Choosing a carrier', 'PassOnRetry', 2],
    ['Printing a label', 'Failed', 1],
    ['Tracking', 'Aborted', 1],
  ]);
  expect(
    lanes.map(({ lane, status, passes, running, processId }) => [lane, status, passes, running, processId]),
  ).toEqual([
    [0, 'finished', 1, [], 4100],
    [1, 'finished', 2, [], 4205],
    [2, 'finished', 1, [], 4102],
    [3, 'finished', 1, [], 4103],
  ]);
  expect(recycles).toHaveLength(2);
  expect(workerFaults).toMatchObject([{ lane: 1, exitCode: 134 }]);
  expect(stalls).toMatchObject([{ uid: 'Payment/Paying twice', inFlightMs: 30000 }]);
  expect(progress).toMatchObject({ elapsedMs: 31950, completed: 12 });
});

test('a detail fits the schema that is published for it', () => {
  expect(runDetail.safeParse(seen(fold(events))).error).toBeUndefined();
  const unsaid = { type: 'step_finished', uid: 'A/b', diagnostics: { trace: 'x', span: null } };
  expect(runDetail.safeParse(of(unsaid)).error).toBeUndefined();
});

test('earlier attempts keep their steps, and identical steps of two attempts are both real', () => {
  const { scenarios } = seen(fold(events));
  const paid = scenarios.find(({ scenario }) => scenario === 'Paying by card');
  expect(paid?.steps.map(({ stepId, status }) => [stepId, status])).toEqual([
    ['Card', 'ok'],
    ['Pay', 'ok'],
  ]);
  expect(paid?.attemptsHistory).toMatchObject([
    {
      attempt: 1,
      outcome: 'Failed',
      disposition: 'RetryInProcess',
      reason: 'gateway timeout is transient',
      errorMessage: expect.stringContaining('gateway timeout'),
      steps: [{ stepId: 'Card' }, { stepId: 'Pay', status: 'error' }],
    },
  ]);
  expect(paid?.retryReasons).toEqual(['gateway timeout is transient']);
});

test('a step template that comes three times is three steps', () => {
  const adding = seen(fold(events)).scenarios.find(({ scenario }) => scenario === 'Adding an item');
  expect(adding?.steps.map(({ text, status, durationMs }) => [text, status, durationMs])).toEqual([
    ['an empty cart', 'ok', 4],
    ['I add 2 apples', 'ok', 11],
    ['I add 3 pears', 'ok', 9],
    ['the cart holds', 'success', 8],
    ['the cart is emptied', 'ok', 2],
  ]);
});

test.each([1, 7, 200])('batches of %i sent twice change nothing', (size) => {
  expect(seen(fold(batches(size).flatMap((batch) => [...batch, ...batch])))).toEqual(seen(fold(events)));
});

test('the whole stream sent again changes nothing', () => {
  expect(seen(fold([...events, ...events]))).toEqual(seen(fold(events)));
});

test('a run cut anywhere reads the same however its batches were cut and repeated', () => {
  const cut = fc.record({
    upTo: fc.integer({ min: 1, max: events.length }),
    sizes: fc.array(fc.record({ size: fc.integer({ min: 1, max: 40 }), twice: fc.boolean() }), { minLength: 1 }),
  });
  fc.assert(
    fc.property(cut, ({ upTo, sizes }) => {
      const run = newRun('r');
      for (let from = 0, turn = 0; from < upTo; turn += 1) {
        const { size, twice } = sizes[turn % sizes.length] ?? { size: 1, twice: false };
        const batch = events.slice(from, Math.min(upTo, from + size));
        fold(batch, run);
        if (twice) fold(batch, run);
        from += size;
      }
      expect(seen(run)).toEqual(seen(fold(events.slice(0, upTo))));
    }),
    { numRuns: 400 },
  );
});

test('a pass in a new process, which counts from one again, is a pass on retry', () => {
  const { scenarios, run } = of(
    { type: 'scenario_started', uid: 'A/b', attempt: 1 },
    { type: 'scenario_finished', uid: 'A/b', outcome: 'Failed', attempts: 1 },
    { type: 'retry_scheduled', uid: 'A/b', nextAttempt: 2, disposition: 'RetryInFreshProcess', reason: 'flaky' },
    { type: 'scenario_started', uid: 'A/b', attempt: 1 },
    { type: 'scenario_finished', uid: 'A/b', outcome: 'CleanPass', attempts: 1 },
  );
  expect(scenarios).toMatchObject([{ outcome: 'PassOnRetry', attempt: 2, attempts: 2, retryReasons: ['flaky'] }]);
  expect(run).toMatchObject({ passedOnRetry: 1, passed: 0, failed: 0 });
});

test('a retry with the same times as the attempt before is still a retry', () => {
  const at = '2026-11-15T10:00:00.000Z';
  const { scenarios } = of(
    { type: 'scenario_started', uid: 'A/b', attempt: 1, at },
    { type: 'scenario_finished', uid: 'A/b', outcome: 'Failed', attempts: 1, durationMs: 1, at },
    { type: 'retry_scheduled', uid: 'A/b', nextAttempt: 2, reason: 'flaky' },
    { type: 'scenario_started', uid: 'A/b', attempt: 1, at },
    { type: 'scenario_finished', uid: 'A/b', outcome: 'Failed', attempts: 1, durationMs: 1, at },
  );
  expect(scenarios).toMatchObject([{ outcome: 'Failed', attempt: 2, attemptsHistory: [{ attempt: 1 }] }]);
});

test('events of a worker replace those of its supervisor, in either order', () => {
  const worker = [
    { type: 'scenario_started', uid: 'A/b', feature: 'A', scenario: 'b', attempt: 1, at: '2026-11-15T10:00:01Z' },
    { type: 'scenario_finished', uid: 'A/b', outcome: 'Failed', attempts: 1, at: '2026-11-15T10:00:02Z' },
  ];
  const supervisor = [
    { type: 'test_started', uid: 'A/b', displayName: 'other', at: '2026-11-15T10:00:00Z' },
    { type: 'test_finished', uid: 'A/b', displayName: 'other', state: 'Passed', at: '2026-11-15T10:00:03Z' },
  ];
  const own = of(...worker);
  expect(of(...supervisor, ...worker)).toEqual({ ...own, scenarios: [{ ...own.scenarios[0] }] });
  expect(of(...worker, ...supervisor)).toEqual(own);
});

test('steps that name their attempt and number keep their place when they are sent again', () => {
  const stream = [
    { type: 'scenario_started', uid: 'A/b', attempt: 1, at: '2026-11-15T10:00:00Z' },
    { type: 'step_started', uid: 'A/b', stepId: 's', text: 'one', attempt: 1, stepNumber: 1 },
    { type: 'step_finished', uid: 'A/b', stepId: 's', status: 'ok', durationMs: 1, attempt: 1, stepNumber: 1 },
    { type: 'step_started', uid: 'A/b', stepId: 's', text: 'two', attempt: 1, stepNumber: 2 },
    { type: 'step_finished', uid: 'A/b', stepId: 's', status: 'failed', durationMs: 2, attempt: 1, stepNumber: 2 },
  ];
  const once = of(...stream);
  for (const repeated of stream) expect(of(...stream, repeated)).toEqual(once);
});

test('a lane that crashed and continued has two passes, and an old pass sent again is not a third', () => {
  const stream = [
    { type: 'lane_started', lane: 0, uids: ['a'], at: '2026-11-15T10:00:00Z' },
    { type: 'lane_finished', lane: 0, outcomes: 0, crashed: true, at: '2026-11-15T10:00:01Z' },
    { type: 'lane_started', lane: 0, uids: ['b'], at: '2026-11-15T10:00:02Z' },
  ];
  const { lanes } = of(...stream, ...stream);
  expect(lanes).toMatchObject([{ status: 'running', passes: 2, uids: ['b'], running: [], outcomes: null }]);
  const begun = { type: 'scenario_started', uid: 'b', attempt: 1, at: '2026-11-15T10:00:03Z' };
  expect(of(...stream, begun).lanes).toMatchObject([{ running: ['b'] }]);
  const over = { type: 'lane_finished', lane: 0, outcomes: 0, crashed: true, at: '2026-11-15T10:00:04Z' };
  expect(of(...stream, begun, over).lanes).toMatchObject([{ status: 'crashed', running: [] }]);
  expect(of(...stream, begun, { type: 'run_finished', exitCode: 1 }).lanes).toMatchObject([{ running: [] }]);
});

test('each attempt knows when and in which lane it ran, even after its lane was assigned others', () => {
  const { scenarios } = seen(fold(events));
  const paid = scenarios.find(({ scenario }) => scenario === 'Paying by card');
  expect(paid).toMatchObject({ lane: 1, startedAt: '2026-11-15T10:00:00.300Z' });
  expect(paid?.attemptsHistory).toMatchObject([{ lane: 1, startedAt: '2026-11-15T10:00:00.210Z', finishedAt: null }]);
  expect(scenarios.find(({ scenario }) => scenario === 'OrderTests pays')).toMatchObject({ lane: 3 });
  const late = of(
    { type: 'scenario_started', uid: 'A/a', attempt: 1, at: '2026-01-01T00:00:01.000Z' },
    { type: 'lane_started', lane: 4, uids: ['A/a'], at: '2026-01-01T00:00:00.000Z' },
  );
  expect(late.scenarios).toMatchObject([{ lane: 4 }]);
});
