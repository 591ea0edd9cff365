import { type Announcements, createAnnouncements } from '../../kernel/announcements.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ArchiveIndexes } from './archive-indexes.ts';
import type { BoardRun } from './board-run.ts';
import { type BootedArchives, bootArchives, warnOfSkipped } from './boot-archives.ts';
import { Ejector } from './eject.ts';
import type { HistoryFiles } from './history/ports.ts';
import { TestHistory } from './history/test-history.ts';
import { createIngest, type Ingest, type IngestDeps } from './ingest.ts';
import { isLive } from './liveness.ts';
import { nameRepositories } from './name-repositories.ts';
import { NewRunQuota, newRunLimits } from './new-run-quota.ts';
import type { Policies } from './policies.ts';
import type { Archive, JoinLines, RepositoryNames, SplitBatch, TimeBudget } from './ports.ts';
import { RunAnnouncer } from './run-announcer.ts';
import { RunCache } from './run-cache.ts';
import { RunRegistry } from './run-registry.ts';
import { RunSummaries } from './run-summaries.ts';
import { RunWriter } from './run-writer.ts';
import type { MemoryForRuns } from './runs-in-memory.ts';

export type ConsoleRunsDeps = {
  archive: Archive;
  history: HistoryFiles;
  clock: Clock;
  timeBudget: () => TimeBudget;
  split: SplitBatch;
  lines: JoinLines;
  repositoryNames: RepositoryNames;
  host: string;
  policies: Policies;
  memory: MemoryForRuns;
  announcements?: Announcements;
  warn: (details: object, text: string) => void;
  onSender?: NonNullable<IngestDeps['onSender']>;
};

/** The run console without its HTTP routes. */
export type ConsoleRuns = {
  registry: RunRegistry;
  cache: RunCache;
  summaries: RunSummaries;
  writer: RunWriter;
  ejector: Ejector;
  ingest: Ingest;
  archive: Archive;
  history: TestHistory;
  clock: Clock;
  timeBudget: () => TimeBudget;
  /** Resolves once every archive that was there at the start is on the board. */
  ready: Promise<void>;
  /** Resolves once each of them is read whole, or the reading was stopped. */
  counted: Promise<void>;
  /** Finishes the queued batches, then writes the indexes and closes the archives. */
  stop(): Promise<void>;
};

const hourMs = 60 * 60_000;
const checkpointMs = 20_000;

/** Puts the parts together and starts to read the archives; it does not wait for them. */
export function createConsoleRuns(deps: ConsoleRunsDeps): ConsoleRuns {
  const { archive, clock, timeBudget, policies, warn } = deps;
  const registry = new RunRegistry(clock);
  const indexes = new ArchiveIndexes({ archive, registry, warn });
  const readWhole = (boardRun: BoardRun) => {
    warnOfSkipped(boardRun, warn);
    indexes.markChanged(boardRun);
  };
  const cache = new RunCache({ archive, timeBudget, registry, memory: deps.memory, readWhole });
  const history = new TestHistory({ ...deps, files: deps.history, registry, cache });
  const summaries = new RunSummaries(registry, deps.host);
  const summaryOf = (runId: string) => {
    const boardRun = registry.get(runId);
    return boardRun && summaries.of(boardRun);
  };
  const announcements = deps.announcements ?? createAnnouncements();
  const announcer = new RunAnnouncer({ announcements, summaryOf, timeBudget });
  const attachmentBytes = policies.attachmentsMb * 1024 * 1024;
  const writing = { archive, clock, lines: deps.lines, registry, cache, announcer, timeBudget, attachmentBytes };
  const writer = new RunWriter(writing);
  const ejector = new Ejector({ archive, registry, writer, announcer, history, clock, policies, warn });
  const ingest = ingestWithQuota(deps, registry, writer);
  nameRepositories(registry, deps.repositoryNames, (boardRun) => {
    if (!isLive(boardRun)) indexes.markChanged(boardRun);
    announcer.changed(boardRun.runId);
  });

  registry.listen({ changed: ({ runId }) => announcer.changed(runId) });
  const archives = bootArchives({ ...deps, registry });
  const sweeps = startSweeps({ archives, registry, ejector, warn });
  const stops = startTimers({ clock, announcer, archive, history, indexes, sweeps });
  void archives.counted.then(() => history.catchUp());
  return {
    ...{ registry, cache, summaries, writer, ejector, ingest, archive, history, clock, timeBudget },
    ready: archives.ready,
    counted: archives.counted,
    async stop() {
      for (const stop of stops) stop();
      archives.stop();
      indexes.markLive();
      await sweeps.first;
      await archives.counted;
      await writer.drained();
      await announcer.flush();
      await history.flush();
      await indexes.save();
      await archive.close();
    },
  };
}

type TimerDeps = {
  clock: Clock;
  announcer: RunAnnouncer;
  archive: Archive;
  history: TestHistory;
  indexes: ArchiveIndexes;
  sweeps: ReturnType<typeof startSweeps>;
};

/** What is done by the clock; each is stopped by what it returns. */
const startTimers = ({ clock, announcer, archive, history, indexes, sweeps }: TimerDeps) => [
  clock.every(100, () => announcer.flush()),
  clock.every(1000, sweeps.silent),
  clock.every(1000, () => saveEnded(history, indexes)),
  clock.every(
    checkpointMs,
    sweeps.warned(() => archive.checkpoint()),
  ),
  clock.every(hourMs, sweeps.age),
  clock.every(
    hourMs,
    sweeps.warned(() => history.sweep()),
  ),
];

/** The index says whether the history has the run, so it is written after it. */
async function saveEnded(history: TestHistory, indexes: ArchiveIndexes): Promise<void> {
  for (const caughtUp of await history.flushSome()) indexes.markChanged(caughtUp);
  await indexes.save();
}

function ingestWithQuota(deps: ConsoleRunsDeps, registry: RunRegistry, writer: RunWriter): Ingest {
  const board = {
    has: (runId: string) => registry.get(runId) !== undefined,
    live: () => registry.live.size,
  };
  const limits = { ...newRunLimits, onBoard: deps.policies.maxRuns };
  const quota = new NewRunQuota(limits, () => deps.clock.monotonic());
  return createIngest({ ...deps, writer, quota, board });
}

type SweepDeps = {
  archives: BootedArchives;
  registry: RunRegistry;
  ejector: Ejector;
  warn: (details: object, text: string) => void;
};

/** The policies, applied at boot, when a run ends and by the clock. A sweep that fails is tried again at its next time. */
function startSweeps({ archives, registry, ejector, warn }: SweepDeps) {
  const warned = (work: () => Promise<void>) => () =>
    work().catch((err) => warn({ err }, 'a sweep of the archives failed; it is tried again'));
  const board = warned(() => ejector.sweepBoard());
  const age = warned(() => ejector.sweepAge());
  registry.listen({ ended: () => void board() });
  const first = archives.ready.then(age, (err) => warn({ err }, 'the archives could not be read')).then(board);
  return { first, age, silent: warned(() => ejector.sweepSilent()), warned };
}
