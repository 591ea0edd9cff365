import { expect, test } from 'vitest';
import type { MonitorEvent } from '../events.ts';
import { createQueue } from './queue.ts';

const runId = 'r';
const at = '2026-11-15T10:00:00.000Z';
const progress = (n: number): MonitorEvent => ({
  type: 'step_progress',
  runId,
  uid: 'a',
  stepId: `p${n}`,
  elapsedMs: n,
});
const step = (n: number): MonitorEvent => ({
  type: 'step_started',
  runId,
  uid: 'a',
  stepId: `s${n}`,
  kind: 'When',
  text: '',
});
const finish = (n: number): MonitorEvent => ({
  type: 'scenario_finished',
  runId,
  uid: `f${n}`,
  outcome: 'CleanPass',
  attempts: 1,
  durationMs: n,
  errorMessage: null,
});

const typesIn = (queue: ReturnType<typeof createQueue>) =>
  queue.take(1_000, 1e9).map((item) => (JSON.parse(item.json) as MonitorEvent).type);

test('a full queue drops step progress first, then steps', () => {
  const queue = createQueue(10);
  for (let n = 0; n < 4; n++) queue.push(progress(n));
  for (let n = 0; n < 4; n++) queue.push(step(n));
  for (let n = 0; n < 7; n++) queue.push(finish(n));
  const types = typesIn(queue);
  expect(types.filter((type) => type === 'step_progress')).toHaveLength(0);
  expect(types.filter((type) => type === 'scenario_finished')).toHaveLength(7);
  expect(types.length).toBeLessThanOrEqual(10);
});

test('a verdict or a run event is never dropped, however full the queue', () => {
  const queue = createQueue(5);
  for (let n = 0; n < 50; n++) queue.push(finish(n));
  queue.push({
    type: 'run_finished',
    runId,
    exitCode: 0,
    passed: 50,
    failed: 0,
    passedOnRetry: 0,
    indeterminate: 0,
    skipped: 0,
    finishedAt: at,
  });
  expect(typesIn(queue)).toHaveLength(51);
});

test('a batch stays within both limits, has at least one event, and is returned in order', () => {
  const queue = createQueue(100);
  for (let n = 0; n < 5; n++) queue.push(finish(n));
  expect(queue.take(10, 1)).toHaveLength(1);
  const batch = queue.take(2, 1e9);
  queue.putBack(batch);
  expect(queue.take(10, 1e9).map((item) => JSON.parse(item.json).uid)).toEqual(['f1', 'f2', 'f3', 'f4']);
});
