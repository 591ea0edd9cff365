import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ConsoleRuns, createConsoleRuns } from '../../packages/service/src/console/runs/console-runs.ts';
import { joinLines, splitBatch } from '../../packages/service/src/console/runs/io/batch-bytes.ts';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import { memoryForRuns } from '../../packages/service/src/console/runs/run-cache.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { smallRun } from '../recorded-run.ts';
import { localSender } from '../samples.ts';

const clock = createSettableClock();
const noLimits = { retentionDays: 0, retentionRuns: 0, maxRuns: 20_000, attachmentsMb: 50, runMb: 512 };

async function openRuns(dataPath: string, failures = { left: 0 }): Promise<ConsoleRuns> {
  const store = await openRunStore({ dataPath, clock, warn: () => undefined });
  const record = store.history.record.bind(store.history);
  Object.assign(store.history, {
    record: ((...written) => {
      if (failures.left > 0) {
        failures.left -= 1;
        throw new Error('database is locked');
      }
      return record(...written);
    }) satisfies typeof record,
  });
  const runs = createConsoleRuns({
    store,
    clock,
    timeBudget: () => ({ isSpent: () => false, pause: async () => undefined }),
    split: splitBatch,
    lines: joinLines,
    repositoryNames: async () => null,
    host: 'here',
    memory: memoryForRuns(1e9),
    policies: { ...noLimits, orphanSeconds: 60, publisherMbPerHour: 4096 },
    warn: () => undefined,
  });
  await runs.ready;
  return runs;
}

const send = (runs: ConsoleRuns, events: readonly object[]) =>
  runs.ingest(new TextEncoder().encode(JSON.stringify({ events })), localSender);

const runsOf = async ({ history }: ConsoleRuns, uid: string) =>
  (await history.historyOf({ uid, limit: 10 })).items.map(({ runId }) => runId);

test('a run that the test history could not store is stored a minute later, and no other run is read wrongly', async () => {
  const dataPath = await mkdtemp(join(tmpdir(), 'signalbox-history-'));
  const failures = { left: 1 };
  let runs = await openRuns(dataPath, failures);
  try {
    await send(runs, smallRun('first', { outcomes: ['CleanPass', 'CleanPass'] }));
    await runs.history.flush();
    expect(failures.left).toBe(0);
    await send(runs, smallRun('second', { outcomes: ['CleanPass', 'CleanPass'] }));
    await runs.history.flush();
    await runs.stop();

    runs = await openRuns(dataPath, failures);
    expect(await runsOf(runs, 'Cart/1')).toContain('second');
    failures.left = 1;
    clock.advance(1_000);
    await send(runs, smallRun('third', { outcomes: ['CleanPass', 'CleanPass'] }));
    await runs.history.flush();
    expect(runs.registry.get('third')?.recorded).toBe(false);
    clock.advance(60_000);
    await clock.tick();
    expect(runs.registry.get('third')?.recorded).toBe(true);
    expect(await runsOf(runs, 'Cart/1')).toEqual(['third', 'second', 'first']);
  } finally {
    await runs.stop();
    await rm(dataPath, { recursive: true, force: true });
  }
});
