import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createConsoleRuns } from '../../packages/service/src/console/runs/console-runs.ts';
import { joinLines, splitBatch } from '../../packages/service/src/console/runs/io/batch-bytes.ts';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import type { TimeBudget } from '../../packages/service/src/console/runs/ports.ts';
import { memoryForRuns } from '../../packages/service/src/console/runs/run-cache.ts';
import { createAnnouncements } from '../../packages/service/src/kernel/announcements.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { localSender } from '../samples.ts';

/** Counts the work between two pauses, and requests a pause after this many slices. */
function countingTimeBudget(every: number) {
  const counted = { pauses: 0, most: 0 };
  const breathe = (): TimeBudget => {
    let since = 0;
    return {
      isSpent() {
        since += 1;
        counted.most = Math.max(counted.most, since);
        return since >= every;
      },
      async pause() {
        since = 0;
        counted.pauses += 1;
        await new Promise((resolve) => setImmediate(resolve));
      },
    };
  };
  return { breathe, counted };
}

test('a batch at the size limit is worked on in slices, and messages about it come in order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-ingest-'));
  const { breathe, counted } = countingTimeBudget(100);
  const announcements = createAnnouncements();
  const heard: string[] = [];
  announcements.listen(({ type }) => heard.push(type));
  const clock = createSettableClock();
  const runs = createConsoleRuns({
    store: await openRunStore({ dataPath: folder, clock, warn: () => undefined }),
    clock,
    timeBudget: breathe,
    split: splitBatch,
    lines: joinLines,
    repositoryNames: async () => null,
    host: 'here',
    memory: memoryForRuns(1e9),
    policies: {
      orphanSeconds: 60,
      retentionDays: 14,
      retentionRuns: 50,
      maxRuns: 20_000,
      attachmentsMb: 50,
      runMb: 512,
      publisherMbPerHour: 4096,
    },
    announcements,
    warn: () => undefined,
  });
  const event = {
    type: 'scenario_finished',
    runId: 'r1',
    outcome: 'CleanPass',
    attempts: 1,
    errorMessage: 'x'.repeat(60),
  };
  const events = Array.from({ length: 40_000 }, (_, index) => ({ ...event, uid: `Feature/${index}` }));
  const body = Buffer.from(JSON.stringify({ events }));
  expect(body.length).toBeGreaterThan(6 * 1024 * 1024);
  expect(await runs.ingest(body, localSender)).toEqual({ accepted: 40_000, ignored: 0, rejected: [] });
  expect(counted.most).toBeLessThanOrEqual(101);
  // Splitting, sorting and folding each yield four hundred times.
  expect(counted.pauses).toBeGreaterThan(1000);
  await runs.stop();
  expect(heard).toEqual([...Array(40).fill('run_events'), 'run_changed']);
  await rm(folder, { recursive: true, force: true });
});
