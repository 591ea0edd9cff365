import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createConsoleRuns } from '../../packages/service/src/console/runs/console-runs.ts';
import { joinLines, splitBatch } from '../../packages/service/src/console/runs/io/batch-bytes.ts';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import { RunQueries } from '../../packages/service/src/console/runs/run-queries.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { smallRun } from '../recorded-run.ts';
import { localSender } from '../samples.ts';

test('a run whose test history cannot be read now is a failed request, and no end of the process', async () => {
  const dataPath = await mkdtemp(join(tmpdir(), 'signalbox-unreadable-'));
  const clock = createSettableClock();
  const store = await openRunStore({ dataPath, clock, warn: () => undefined });
  const names = store.history.names.bind(store.history);
  let isBroken = false;
  Object.assign(store.history, {
    names: ((suite) => {
      if (isBroken) throw new Error('disk I/O error');
      return names(suite);
    }) satisfies typeof names,
  });
  const runs = createConsoleRuns({
    store,
    clock,
    timeBudget: () => ({ isSpent: () => false, pause: async () => undefined }),
    split: splitBatch,
    lines: joinLines,
    repositoryNames: async () => null,
    host: 'here',
    // Each ended run is read from its archive again.
    memory: { all: 1e9, ended: 0 },
    policies: {
      orphanSeconds: 60,
      retentionDays: 0,
      retentionRuns: 0,
      maxRuns: 20_000,
      attachmentsMb: 50,
      runMb: 512,
      publisherMbPerHour: 4096,
    },
    warn: () => undefined,
  });
  const unhandled: unknown[] = [];
  const note = (fault: unknown) => unhandled.push(fault);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  try {
    await runs.ready;
    const queries = new RunQueries(runs, '1.0.0');
    for (const suite of ['one', 'two', 'three', 'four', 'five', 'six']) {
      const events = smallRun(suite, { suite });
      await runs.ingest(new TextEncoder().encode(JSON.stringify({ events })), localSender);
      await runs.history.flush();
    }
    isBroken = true;
    await expect(queries.open('one')).rejects.toThrow('disk I/O error');
    expect(unhandled).toEqual([]);
    isBroken = false;
    expect(await queries.open('one')).toMatchObject({ summary: { passed: 1 } });
  } finally {
    await runs.stop();
    await rm(dataPath, { recursive: true, force: true });
  }
});
