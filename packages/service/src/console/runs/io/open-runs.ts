import { join } from 'node:path';
import type { Announcements } from '../../../kernel/announce.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type ConsoleRuns, createConsoleRuns } from '../console-runs.ts';
import type { Policies } from '../eject.ts';
import { openArchive } from './archive.ts';
import { createBreathe } from './breathe.ts';
import { linesOf } from './lines.ts';
import { repositoryNameAt } from './repository-name.ts';
import { splitBatch } from './split-batch.ts';

export type OpenRuns = {
  dataPath: string;
  clock: Clock;
  host: string;
  policies: Policies;
  announcements: Announcements;
  warn: (details: object, text: string) => void;
};

/** The run console on this machine's disk. It listens at once; its archives come up behind it. */
export async function openRuns({ dataPath, ...deps }: OpenRuns): Promise<ConsoleRuns> {
  return createConsoleRuns({
    ...deps,
    archive: await openArchive(join(dataPath, 'runs'), deps.warn),
    breathe: createBreathe,
    split: splitBatch,
    lines: linesOf,
    repositoryNames: repositoryNameAt,
  });
}
