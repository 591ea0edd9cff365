import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basketPicture } from '../../packages/service/src/cli/demo/picture.ts';
import {
  allPassing,
  eventNow,
  firstFailure,
  paced,
  timedEvents,
  withFailureDetails,
} from '../../packages/service/src/cli/demo/played-run.ts';

const lines = readFileSync(join(import.meta.dirname, '../../examples/runs/sdk-unit.ndjson'), 'utf8');
const events = timedEvents(lines, { runId: 'r1', repository: '/code/sdk-js', tag: 'platform-sdk/sdk-js' });

test('a recorded run is played in its own order and with the time of now', () => {
  expect(events[0]).toMatchObject({ atMs: 0, event: { runId: 'r1', repository: '/code/sdk-js' } });
  expect(events.every(({ atMs }, at) => atMs >= (events[at - 1]?.atMs ?? 0))).toBe(true);
  const now = '2026-05-05T10:00:00.000Z';
  expect(eventNow(events[0]?.event ?? { type: '' }, now)).toMatchObject({ startedAt: now, suite: 'unit' });
});

test('a run that is played in less time has tests that took less time', () => {
  const half = paced(events, (events.at(-1)?.atMs ?? 0) / 2_000);
  expect(half.at(-1)?.atMs).toBe((events.at(-1)?.atMs ?? 0) / 2);
  const lengthsOf = (list: typeof events) => list.flatMap(({ event: { durationMs } }) => Number(durationMs ?? []));
  expect(lengthsOf(half)).toEqual(lengthsOf(events).map((ms) => Math.round(ms / 2)));
});

test('the run after the fix has the same tests, and all of them pass', () => {
  const ends = allPassing(events).filter(({ event }) => event.type === 'scenario_finished');
  expect(ends).toHaveLength(40);
  const starts = allPassing(events).filter(({ event }) => event.type === 'scenario_started');
  expect(starts).toHaveLength(40);
  expect(new Set(starts.map(({ event }) => event.attempt))).toEqual(new Set([1]));
  expect(allPassing(events).filter(({ event }) => event.type === 'worker_started')).toHaveLength(4);
  expect(new Set(ends.map(({ event }) => event.outcome))).toEqual(new Set(['CleanPass']));
  expect(allPassing(events).at(-1)?.event).toMatchObject({ exitCode: 0, passed: 40, failed: 0 });
});

test('the first failure has compared values and a picture', () => {
  const told = withFailureDetails(events, basketPicture());
  const attached = told.findIndex(({ event }) => event.type === 'attachment');
  expect(told[attached + 1]?.event).toMatchObject({
    outcome: 'Failed',
    uid: firstFailure,
    rerun: 'npx vitest run src/totals.spec.ts -t "a comma is a decimal sign"',
    errors: [{ expected: expect.stringContaining('196'), actual: expect.stringContaining('197') }],
  });
});
