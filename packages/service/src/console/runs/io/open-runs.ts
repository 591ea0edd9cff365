import { lstat, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { createTimeBudget } from '../../../event-loop/cooperative.ts';
import { flushPath, nullIfMissing } from '../../../files/durable-file.ts';
import { type Clock, iso } from '../../../kernel/clock.ts';
import { type ConsoleRuns, type ConsoleRunsDeps, createConsoleRuns } from '../console-runs.ts';
import { memoryForRuns } from '../run-cache.ts';
import type { RunStore } from '../run-store.ts';
import { ArchiveFiles } from './archive-files.ts';
import { joinLines, splitBatch } from './batch-bytes.ts';
import { adoptEarlierFiles, adoptVerdicts, setEarlierFilesAside } from './before-0.3.ts';
import { repositoryNameAt } from './repository-name.ts';
import { DamagedRuns, RunsDatabase } from './runs-database.ts';
import { SqliteRuns } from './sqlite-runs.ts';

type OpenRuns = Omit<ConsoleRunsDeps, 'timeBudget' | 'split' | 'lines' | 'repositoryNames' | 'memory'>;

/** The run console on this machine's disk. It accepts events at once; archives that must be read are read in the background. */
export function openRuns(deps: OpenRuns): ConsoleRuns {
  return createConsoleRuns({
    ...deps,
    timeBudget: createTimeBudget,
    split: splitBatch,
    lines: joinLines,
    repositoryNames: repositoryNameAt,
    memory: memoryForRuns(getHeapStatistics().heap_size_limit),
  });
}

type Report = (details: object, text: string) => void;
type RunStoreDeps = { dataPath: string; clock: Clock; warn: Report; info?: Report };

/**
 * Opens the runs of a data path. Batches that may be missing in the archives are written before this resolves. A database
 * that is damaged is set aside and made again from the archives.
 */
export async function openRunStore({ dataPath, clock, warn, info = () => undefined }: RunStoreDeps): Promise<RunStore> {
  const files = await ArchiveFiles.open(join(dataPath, 'runs'));
  const path = join(dataPath, 'runs.sqlite');
  const isFirst = (await lstat(path).catch(nullIfMissing)) === null;
  const database = await openDatabase(path, files, isFirst, warn, info);
  await adoptVerdicts(dataPath, database, warn);
  await setEarlierFilesAside(dataPath);
  return new SqliteRuns(files, database, clock, warn);
}

async function openDatabase(
  path: string,
  files: ArchiveFiles,
  isFirst: boolean,
  warn: Report,
  info: Report,
): Promise<RunsDatabase> {
  if (isFirst) {
    await removeDatabase(`${path}.new`);
    const fresh = RunsDatabase.open(`${path}.new`);
    await adoptEarlierFiles(files, fresh, warn, info);
    fresh.checkpoint();
    fresh.close();
    await flushPath(`${path}.new`);
    await rename(`${path}.new`, path);
    await flushPath(dirname(path));
  }
  try {
    const database = RunsDatabase.open(path);
    await completeArchives(files, database);
    return database;
  } catch (error) {
    if (!(error instanceof DamagedRuns)) throw error;
    const aside = `${path}.damaged-${iso(Date.now()).replace(/[:.]/g, '-')}`;
    warn({ err: error, keptAs: aside }, 'the database of runs is damaged; it is rebuilt from the archives');
    for (const ending of ['', '-wal']) await rename(path + ending, aside + ending).catch(nullIfMissing);
    await removeDatabase(path);
    return RunsDatabase.open(path);
  }
}

async function removeDatabase(path: string): Promise<void> {
  for (const ending of ['', '-wal', '-shm']) await rm(path + ending, { force: true });
}

/** Writes the stored batches into their archives again, because a power failure may have lost any part of an unflushed archive. */
async function completeArchives(files: ArchiveFiles, database: RunsDatabase): Promise<void> {
  const runs = database.runs();
  const batches = database.batches();
  for (const [runId, writes] of batches) {
    // A run that was ejected between its last batch and the crash is skipped.
    if (runs.has(runId)) await files.restore(runId, writes);
  }
  if (batches.size === 0) return;
  await flushPath(files.folder);
  database.forgetBatches(Number.MAX_SAFE_INTEGER, -1);
}
