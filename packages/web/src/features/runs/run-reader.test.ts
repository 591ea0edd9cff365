import { expect, test } from 'vitest';
import type { RunDetail } from '../../live/wire.ts';
import { RunReader } from './run-reader.ts';
import type { RunNews } from './run-subscriptions.ts';

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

/** A reader whose archive answers and redraws happen when the test says so. */
function follow() {
  const reads: ((lines: readonly object[]) => Promise<void>)[] = [];
  const shown: RunDetail[] = [];
  let redraws: (() => void)[] = [];
  let hear: (news: RunNews) => void = () => undefined;
  let subscribed = false;
  const reader = new RunReader(first, {
    readArchive: () =>
      new Promise((resolve) => {
        reads.push(async (lines) => {
          resolve(lines.map((line) => JSON.stringify(line)).join('\n'));
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
    later: (run) => {
      redraws.push(run);
      return () => {
        redraws = redraws.filter((one) => one !== run);
      };
    },
    onDetail: (detail) => shown.push(detail),
  });
  reader.start();
  return {
    reader,
    reads,
    shown,
    hear: (news: RunNews) => hear(news),
    isSubscribed: () => subscribed,
    redraw: () => {
      const due = redraws;
      redraws = [];
      for (const run of due) run();
      return due.length;
    },
    outcomes: () => Object.fromEntries(shown.at(-1)?.scenarios.map(({ uid, outcome }) => [uid, outcome]) ?? []),
  };
}

test('events that come while the archive is read are applied after it', async () => {
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

test('when events may be missing the archive is read again, and nothing shown is lost meanwhile', async () => {
  const run = follow();
  await run.reads[0]?.([started('a')]);
  run.redraw();
  run.hear('again');
  run.hear([finished('b')]);
  expect(run.redraw()).toBe(0);
  await run.reads[1]?.([started('a'), finished('a'), started('b')]);
  run.redraw();
  expect(run.outcomes()).toEqual({ a: 'CleanPass', b: 'CleanPass' });
});

test('a reader that was stopped shows nothing more and listens no more', async () => {
  const run = follow();
  run.reader.stop();
  await run.reads[0]?.([started('a')]);
  run.redraw();
  expect(run.shown).toEqual([]);
  expect(run.isSubscribed()).toBe(false);
});
