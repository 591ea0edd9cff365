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

test('a run that was ejected and sent again is stored as the run that was sent last', async () => {
  const dataPath = await mkdtemp(join(tmpdir(), 'signalbox-again-'));
  const clock = createSettableClock();
  const open = (repositoryNames: (folder: string) => Promise<string | null>) =>
    openRunStore({ dataPath, clock, warn: () => undefined }).then((store) =>
      createConsoleRuns({
        store,
        clock,
        timeBudget: () => ({ isSpent: () => false, pause: async () => undefined }),
        split: splitBatch,
        lines: joinLines,
        repositoryNames,
        host: 'here',
        memory: memoryForRuns(1e9),
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
      }),
    );
  // The name of a repository on a slow disk is found after the run has been replaced.
  const found = Promise.withResolvers<string>();
  const names = [found.promise, Promise.resolve('acme/new')];
  let runs = await open(async () => (await names.shift()) ?? null);
  const send = (events: readonly object[]) =>
    runs.ingest(new TextEncoder().encode(JSON.stringify({ events })), localSender);
  try {
    await runs.ready;
    // Both are answered once the names are known.
    const first = send(smallRun('again', { outcomes: ['Failed'], repository: '/fx/old' }));
    await expect.poll(() => runs.registry.get('again')?.head.finish?.exitCode).toBe(1);
    expect(await runs.ejector.ejectOne('again', 'ada')).toBeUndefined();
    const second = send(smallRun('again', { outcomes: ['CleanPass', 'CleanPass'], repository: '/fx/new' }));
    await expect.poll(() => runs.registry.get('again')?.head.finish?.exitCode).toBe(0);
    found.resolve('acme/old');
    await Promise.all([first, second]);
    const sent = runs.registry.get('again')?.head;
    await clock.tick();
    await runs.stop();

    runs = await open(async () => 'acme/new');
    await runs.ready;
    expect(runs.registry.get('again')).toMatchObject({ head: sent });
  } finally {
    await runs.stop();
    await rm(dataPath, { recursive: true, force: true });
  }
});
