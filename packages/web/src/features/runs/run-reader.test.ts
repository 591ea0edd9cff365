import { expect, test } from 'vitest';
import type { RunDetail } from '../../live/wire.ts';
import { type RunNews, RunReader } from './live-run.ts';

const first = { run: { runId: 'r', orphaned: false, lastEventAt: null }, scenarios: [] } as unknown as RunDetail;
const started = (name: string) => ({ type: 'scenario_started', runId: 'r', uid: name, attempt: 1 });
const finished = (name: string, outcome = 'CleanPass') => ({
  type: 'scenario_finished',
  runId: 'r',
  uid: name,
  outcome,
  attempts: 1,
  durationMs: 5,
});

/** A reader whose archive answers and redraws happen when the test triggers them. */
function follow() {
  const reads: ((lines: readonly object[] | Error) => Promise<void>)[] = [];
  const shown: RunDetail[] = [];
  let redraws: (() => void)[] = [];
  const pauses: number[] = [];
  let hear: (news: RunNews) => void = () => undefined;
  let subscribed = false;
  let clock = 0;
  const reader = new RunReader(first, {
    readArchive: () =>
      new Promise((resolve, reject) => {
        reads.push(async (lines) => {
          if (lines instanceof Error) reject(lines);
          else resolve(lines.map((line) => JSON.stringify(line)).join('\n'));
          await new Promise((done) => setImmediate(done));
        });
      }),
    subscribe: (listener) => {
      hear = listener;
      subscribed = true;
      return () => {
        subscribed = false;
      };
    },
    throttle: (read) => () => void read(),
    later: (run, ms) => {
      redraws.push(run);
      pauses.push(ms);
      return () => {
        redraws = redraws.filter((one) => one !== run);
      };
    },
    onDetail: (detail) => shown.push(detail),
    now: () => new Date(clock).toISOString(),
  });
  reader.start();
  return {
    reader,
    reads,
    shown,
    pauses,
    hear: (news: RunNews) => hear(news),
    isSubscribed: () => subscribed,
    pass: (ms: number) => {
      clock += ms;
    },
    redraw: () => {
      const due = redraws;
      redraws = [];
      for (const run of due) run();
      return due.length;
    },
    outcomes: () => Object.fromEntries(shown.at(-1)?.scenarios.map(({ uid, outcome }) => [uid, outcome]) ?? []),
  };
}

test('events that arrive while the archive is read are applied after it', async () => {
  const run = follow();
  run.hear([finished('a')]);
  expect(run.redraw()).toBe(0);
  await run.reads[0]?.([started('a'), finished('a', 'Failed')]);
  run.redraw();
  expect(run.outcomes()).toEqual({ a: 'CleanPass' });
});

test('events after the archive are shown together, once', async () => {
  const run = follow();
  await run.reads[0]?.([started('a')]);
  run.redraw();
  run.hear([finished('a')]);
  run.hear([started('b')]);
  expect(run.redraw()).toBe(1);
  expect(run.shown).toHaveLength(2);
  expect(run.outcomes()).toEqual({ a: 'CleanPass', b: null });
});

test('the publisher was heard from when its last events came, however long ago the run was read', async () => {
  const run = follow();
  await run.reads[0]?.([started('a')]);
  run.pass(17_000);
  run.hear([finished('a')]);
  run.redraw();
  expect(run.shown.at(-1)?.run.lastEventAt).toBe('1970-01-01T00:00:17.000Z');
  run.pass(5_000);
  run.hear('refetch');
  await run.reads[1]?.([started('a'), finished('a')]);
  run.redraw();
  expect(run.shown.at(-1)?.run.lastEventAt).toBe('1970-01-01T00:00:17.000Z');
});

test('if events may be missing the archive is read again, and nothing that is shown is lost meanwhile', async () => {
  const run = follow();
  await run.reads[0]?.([started('a')]);
  run.redraw();
  run.hear('refetch');
  run.hear([finished('b')]);
  expect(run.redraw()).toBe(0);
  await run.reads[1]?.([started('a'), finished('a'), started('b')]);
  run.redraw();
  expect(run.outcomes()).toEqual({ a: 'CleanPass', b: 'CleanPass' });
});

test('a stopped reader shows nothing more and no longer listens', async () => {
  const run = follow();
  run.reader.stop();
  await run.reads[0]?.([started('a')]);
  run.redraw();
  expect(run.shown).toEqual([]);
  expect(run.isSubscribed()).toBe(false);
});

test('an archive that could not be read is read again after a growing pause, and then everything is shown', async () => {
  const run = follow();
  run.hear([finished('a')]);
  await run.reads[0]?.(new Error('503'));
  expect(run.shown).toEqual([]);
  run.redraw();
  await run.reads[1]?.(new Error('503'));
  run.redraw();
  expect(run.pauses).toEqual([1000, 2000]);
  run.hear([finished('b')]);
  await run.reads[2]?.([started('a'), finished('a'), started('b')]);
  run.redraw();
  expect(run.outcomes()).toEqual({ a: 'CleanPass', b: 'CleanPass' });
});

test('events are applied as they come while an archive that was read before cannot be read again', async () => {
  const run = follow();
  await run.reads[0]?.([started('a')]);
  run.redraw();
  run.hear('refetch');
  run.hear([started('b')]);
  await run.reads[1]?.(new Error('503'));
  run.hear([finished('a')]);
  run.redraw();
  expect(run.outcomes()).toEqual({ a: 'CleanPass', b: null });
  expect(run.reads).toHaveLength(3);
});

test('a stopped reader does not read again', async () => {
  const run = follow();
  await run.reads[0]?.(new Error('503'));
  run.reader.stop();
  run.redraw();
  expect(run.reads).toHaveLength(1);
});
