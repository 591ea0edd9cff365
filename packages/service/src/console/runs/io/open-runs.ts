import { getHeapStatistics } from 'node:v8';
import { createTimeBudget } from '../../../event-loop/cooperative.ts';
import type { Announcements } from '../../../kernel/announcements.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type ConsoleRuns, createConsoleRuns } from '../console-runs.ts';
import type { IngestDeps } from '../ingest.ts';
import type { Policies } from '../policies.ts';
import { memoryForRuns } from '../runs-in-memory.ts';
import { joinLines } from './join-lines.ts';
import { openRunStore } from './open-run-store.ts';
import { repositoryNameAt } from './repository-name.ts';
import { splitBatch } from './split-batch.ts';

export type OpenRuns = {
  dataPath: string;
  clock: Clock;
  host: string;
  policies: Policies;
  announcements: Announcements;
  warn: (details: object, text: string) => void;
  info: (details: object, text: string) => void;
  onSender: NonNullable<IngestDeps['onSender']>;
  settleProofs: () => Promise<boolean>;
};

/** The run console on this machine's disk. It listens at once; archives that must be read come up behind it. */
export async function openRuns({ dataPath, ...deps }: OpenRuns): Promise<ConsoleRuns> {
  return createConsoleRuns({
    ...deps,
    store: await openRunStore({ dataPath, clock: deps.clock, warn: deps.warn, info: deps.info }),
    timeBudget: createTimeBudget,
    split: splitBatch,
    lines: joinLines,
    repositoryNames: repositoryNameAt,
    memory: memoryForRuns(getHeapStatistics().heap_size_limit),
  });
}
