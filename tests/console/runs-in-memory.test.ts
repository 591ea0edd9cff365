import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createConsoleRuns } from '../../packages/service/src/console/runs/console-runs.ts';
import { joinLines, splitBatch } from '../../packages/service/src/console/runs/io/batch-bytes.ts';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import { isRefusal } from '../../packages/service/src/kernel/outcome.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { localSender } from '../samples.ts';

/** A console with room for about ten runs of one scenario each. */
async function smallConsole(memory = { all: 10_000, ended: 5_000 }) {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-memory-'));
  const clock = createSettableClock();
  const store = await openRunStore({ dataPath: folder, clock, warn: () => undefined });
  const runs = createConsoleRuns({
    store,
    clock,
    timeBudget: () => ({ isSpent: () => true, pause: () => new Promise((resolve) => setImmediate(resolve)) }),
    split: splitBatch,
    lines: joinLines,
    repositoryNames: async () => null,
    host: 'here',
    memory,
    policies: {
      orphanSeconds: 60,
      retentionDays: 14,
      retentionRuns: 50,
      maxRuns: 20_000,
      attachmentsMb: 50,
      runMb: 512,
      publisherMbPerHour: 4096,
    },
    warn: () => undefined,
  });
  return {
    runs,
    store,
    async send(...events: object[]) {
      const answer = await runs.ingest(Buffer.from(JSON.stringify({ events })), localSender);
      if (isRefusal(answer)) throw new Error(answer.detail);
      return answer;
    },
    inMemory: () => runs.registry.all().filter(({ run }) => run !== null).length,
    /** The summary of a run, which is read again if it is not in memory. */
    async scenarios(runId: string) {
      const boardRun = runs.registry.get(runId);
      return [...((boardRun && (await runs.cache.load(boardRun)))?.scenarios.keys() ?? [])];
    },
    async [Symbol.asyncDispose]() {
      await runs.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const finished = (runId: string, uid: string, more: object = {}) => ({
  type: 'scenario_finished',
  runId,
  uid,
  outcome: 'Failed',
  attempts: 1,
  errorMessage: 'x'.repeat(200),
  ...more,
});
const names = Array.from({ length: 40 }, (_, at) => `r${at}`);

test('if memory is full, the live runs that were silent for longest are evicted, and nothing of them is lost', async () => {
  await using console = await smallConsole();
  for (const runId of names) expect((await console.send(finished(runId, 'a'))).accepted).toBe(1);
  expect(console.inMemory()).toBeLessThan(20);
  expect(console.runs.registry.live.size).toBe(40);
  // All at once, while some are being read and others evicted.
  const asked = names.map((runId) => console.scenarios(runId));
  await Promise.all(names.map((runId) => console.send(finished(runId, 'b'))));
  await Promise.all(asked);
  for (const runId of names) {
    await console.send({ type: 'run_finished', runId });
    expect(await console.scenarios(runId)).toEqual(['a', 'b']);
  }
  expect(console.runs.registry.live.size).toBe(0);
  expect(console.inMemory()).toBeLessThan(10);
});

test('a run that does not fit into memory accepts only its end, and its publisher gets the reason', async () => {
  await using console = await smallConsole();
  const many = (from: number) => Array.from({ length: 10 }, (_, at) => finished('large', `s${from + at}`));
  expect((await console.send(...many(0))).rejected).toEqual([]);
  expect((await console.send(...many(10))).rejected).toEqual([]);
  const { accepted, rejected } = await console.send(...many(20), { type: 'run_finished', runId: 'large' });
  expect([accepted, rejected.length]).toEqual([1, 10]);
  expect(rejected[0]).toEqual({ index: 0, message: expect.stringMatching(/does not fit into memory.*larger heap/) });
  expect(await console.scenarios('large')).toHaveLength(20);
  expect(console.runs.registry.get('large')?.head.finish).not.toBeNull();
  expect((await console.send(finished('small', 'a'))).accepted).toBe(1);
});

test('archives of many runs that are asked for at once are read four at a time', async () => {
  await using console = await smallConsole({ all: 100_000_000, ended: 0 });
  const large = names.slice(0, 10);
  for (const runId of large) {
    const message = 'x'.repeat(2_100_000);
    await console.send(finished(runId, 'a', { errorMessage: message }), { type: 'run_finished', runId });
  }
  expect(console.inMemory()).toBeLessThan(2);
  const { lines } = console.store;
  let [underWay, most] = [0, 0];
  console.store.lines = async (runId) => {
    most = Math.max(most, ++underWay);
    const groups = await lines.call(console.store, runId);
    return (async function* () {
      yield* groups ?? [];
      underWay -= 1;
    })();
  };
  const read = await Promise.all(large.map((runId) => console.scenarios(runId)));
  expect(read).toEqual(large.map(() => ['a']));
  expect(most).toBe(4);
});
