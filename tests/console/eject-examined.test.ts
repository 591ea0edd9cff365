import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createConsoleRuns } from '../../packages/service/src/console/runs/console-runs.ts';
import { joinLines, splitBatch } from '../../packages/service/src/console/runs/io/batch-bytes.ts';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import { memoryForRuns } from '../../packages/service/src/console/runs/run-cache.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { smallRun } from '../recorded-run.ts';
import { localSender } from '../samples.ts';

test('a run that ends while a policy waits for proofs is ejected only after its end was examined', async () => {
  const dataPath = await mkdtemp(join(tmpdir(), 'signalbox-examined-'));
  const clock = createSettableClock();
  const store = await openRunStore({ dataPath, clock, warn: () => undefined });
  const isEnded = () => runs.registry.get('late')?.head.finish != null;
  const waiting: { open(): void }[] = [];
  const examinedAsEnded: boolean[] = [];
  const ejectedAfter: boolean[][] = [];
  let isGated = false;
  const runs = createConsoleRuns({
    store: Object.assign(store, {
      eject: ((eject) => (runId, atMs, by) => {
        if (runId === 'late') ejectedAfter.push([...examinedAsEnded]);
        return eject(runId, atMs, by);
      })(store.eject.bind(store)) satisfies typeof store.eject,
    }),
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
      retentionRuns: 1,
      maxRuns: 20_000,
      attachmentsMb: 50,
      runMb: 512,
      publisherMbPerHour: 4096,
    },
    warn: () => undefined,
    settleProofs: async () => {
      const wasEnded = isEnded();
      if (isGated) await new Promise<void>((open) => waiting.push({ open }));
      examinedAsEnded.push(wasEnded);
      return true;
    },
  });
  const send = (events: readonly object[]) =>
    runs.ingest(new TextEncoder().encode(JSON.stringify({ events })), localSender);
  try {
    await runs.ready;
    const late = smallRun('late');
    await send(late.slice(0, -1));
    await send(smallRun('newer'));
    isGated = true;
    clock.advance(61_000);
    const swept = runs.ejector.sweepSilent();
    await expect.poll(() => waiting.length).toBe(1);
    const ended = send(late.slice(-1));
    await expect.poll(isEnded).toBe(true);
    examinedAsEnded.length = 0;
    isGated = false;
    waiting[0]?.open();
    await swept;
    for (const { open } of waiting) open();
    await ended;
    await expect.poll(() => runs.registry.get('late')).toBeUndefined();
    expect(ejectedAfter).toEqual([expect.arrayContaining([true])]);
  } finally {
    for (const { open } of waiting) open();
    await runs.stop();
    await rm(dataPath, { recursive: true, force: true });
  }
});
