import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createConsoleRuns } from '../../packages/service/src/console/runs/console-runs.ts';
import { joinLines, splitBatch } from '../../packages/service/src/console/runs/io/batch-bytes.ts';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import { memoryForRuns } from '../../packages/service/src/console/runs/run-cache.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { localSender } from '../samples.ts';

test('what could not be written does not count towards the limits of its sender', async () => {
  const dataPath = await mkdtemp(join(tmpdir(), 'signalbox-unwritten-'));
  const clock = createSettableClock();
  const store = await openRunStore({ dataPath, clock, warn: () => undefined });
  const append = store.append.bind(store);
  let isFull = true;
  Object.assign(store, {
    append: (async (...written) => {
      if (isFull) throw new Error('no space left on device');
      return append(...written);
    }) satisfies typeof append,
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
    policies: {
      orphanSeconds: 60,
      retentionDays: 0,
      retentionRuns: 0,
      maxRuns: 20_000,
      attachmentsMb: 50,
      runMb: 512,
      publisherMbPerHour: 1,
    },
    warn: () => undefined,
  });
  const send = (events: readonly object[]) =>
    runs.ingest(new TextEncoder().encode(JSON.stringify({ events })), localSender);
  const large = [{ type: 'run_started', runId: 'large', suite: 'x'.repeat(400_000) }];
  const many = Array.from({ length: 200 }, (_, number) => ({ type: 'run_started', runId: `run-${number}` }));
  try {
    await runs.ready;
    for (const batch of [large, many])
      for (let time = 0; time < 6; time += 1) expect(await send(batch)).toMatchObject({ code: 'store_unavailable' });
    isFull = false;
    expect(await send(large)).toEqual({ accepted: 1, ignored: 0, rejected: [] });
    expect(await send(many)).toEqual({ accepted: 200, ignored: 0, rejected: [] });
  } finally {
    await runs.stop();
    await rm(dataPath, { recursive: true, force: true });
  }
});
