import { expect, test } from 'vitest';
import type { RunDetail } from '../../live/wire.ts';
import { LiveRun, parseNdjson } from './live-run.ts';

const first = { run: { runId: 'r', orphaned: false, lastEventAt: null }, scenarios: [] } as unknown as RunDetail;
const events = [
  { type: 'run_started', runId: 'r', suite: 's', startedAt: '2026-01-01T09:00:00.000Z', totalScenarios: 3 },
  ...['a', 'b', 'c'].flatMap((name) => [
    { type: 'scenario_started', runId: 'r', uid: `F/${name}`, attempt: 1, at: '2026-01-01T09:00:01.000Z' },
    { type: 'scenario_finished', runId: 'r', uid: `F/${name}`, outcome: 'CleanPass', attempts: 1, durationMs: 5 },
  ]),
];
const folded = (...batches: unknown[][]) => {
  const run = new LiveRun(first);
  for (const batch of batches) {
    run.apply(batch);
    run.detail();
  }
  return run.detail();
};

test('a run followed in batches, some of them twice, equals the run read whole', () => {
  const whole = folded(events);
  expect(whole.run).toMatchObject({ scenarios: 3, scenariosFinished: 3, passed: 3, state: 'running' });
  expect(folded(events.slice(0, 3), events.slice(2, 5), events.slice(3), events)).toEqual(whole);
});

test('only scenarios that an event touched are drawn again', () => {
  const run = new LiveRun(first);
  run.apply(events.slice(0, 5));
  const [a, b] = run.detail().scenarios;
  run.apply([{ type: 'scenario_finished', runId: 'r', uid: 'F/b', outcome: 'Failed', attempts: 1, durationMs: 9 }]);
  const [sameA, newB] = run.detail().scenarios;
  expect(sameA).toBe(a);
  expect(newB).not.toBe(b);
});

test('a torn line of an archive is left out, the others stay', () => {
  expect(parseNdjson('{"a":1}\n\n{"b":\n{"c":3}\n')).toEqual([{ a: 1 }, { c: 3 }]);
});
