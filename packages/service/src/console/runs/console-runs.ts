import { type Announcements, createAnnouncements } from '../../kernel/announcements.ts';
import type { Clock } from '../../kernel/clock.ts';
import { ArchiveCheck } from './archive-check.ts';
import { type BootedRuns, bootRuns } from './boot-runs.ts';
import { Ejector } from './eject.ts';
import { TestHistory } from './history/test-history.ts';
import { createIngest, type Ingest, type IngestDeps } from './ingest.ts';
import { nameRepositories } from './name-repositories.ts';
import type { Policies } from './policies.ts';
import type { JoinLines, RepositoryNames, SplitBatch, TimeBudget } from './ports.ts';
import { ArchiveQuota, NewRunQuota, newRunLimits } from './quotas.ts';
import type { Run } from './run.ts';
import { RunAnnouncer } from './run-announcer.ts';
import { type MemoryForRuns, RunCache } from './run-cache.ts';
import { type BoardRun, isLive, RunRegistry } from './run-registry.ts';
import { RunRows } from './run-rows.ts';
import type { RunStore } from './run-store.ts';
import { RunSummaries } from './run-summaries.ts';
import { RunWriter } from './run-writer.ts';

export type ConsoleRunsDeps = {
  store: RunStore;
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
  info?: (details: object, text: string) => void;
  onSender?: NonNullable<IngestDeps['onSender']>;
  /** Called with each run that a start reads from its archive. */
  onRead?: (boardRun: BoardRun, run: Run) => void;
  /** Resolves once the ended runs have been examined as evidence; false if that was not possible. */
  settleProofs?: () => Promise<boolean>;
};

/** The run console without its HTTP routes. */
export type ConsoleRuns = {
  registry: RunRegistry;
  cache: RunCache;
  summaries: RunSummaries;
  writer: RunWriter;
  ejector: Ejector;
  archives: ArchiveCheck;
  ingest: Ingest;
  store: RunStore;
  history: TestHistory;
  clock: Clock;
  timeBudget: () => TimeBudget;
  /** Resolves once every run that was stored before the start is on the board. */
  ready: Promise<void>;
  /** Finishes the queued batches, then writes the rows and closes the store. */
  stop(): Promise<void>;
};

const hourMs = 60 * 60_000;
const checkpointMs = 20_000;
const archiveCheckMs = 5_000;

/** Connects the parts and starts to read the stored runs, without waiting for them. */
export function createConsoleRuns(deps: ConsoleRunsDeps): ConsoleRuns {
  const { store, clock, timeBudget, policies, warn } = deps;
  const registry = new RunRegistry(clock);
  const rows = new RunRows({ store, registry, warn });
  const cache = new RunCache({ store, timeBudget, registry, memory: deps.memory });
  const history = new TestHistory({ ...deps, history: store.history, registry, cache });
  const summaries = new RunSummaries(registry, deps.host);
  const summaryOf = (runId: string) => {
    const boardRun = registry.get(runId);
    return boardRun && summaries.of(boardRun);
  };
  const announcements = deps.announcements ?? createAnnouncements();
  const announcer = new RunAnnouncer({ announcements, clock, summaryOf, timeBudget });
  const attachmentBytes = policies.attachmentsMb * 1024 * 1024;
  const booted = bootRuns({ ...deps, registry, rows });
  const { whenRead } = booted;
  const parts = { store, clock, lines: deps.lines, registry, cache, announcer, timeBudget };
  const writer = new RunWriter({ ...parts, attachmentBytes, whenRead });
  const whenNamed = nameRepositories(registry, deps.repositoryNames, (boardRun) => {
    if (!isLive(boardRun)) rows.markChanged(boardRun);
    announcer.changed(boardRun.runId);
  });
  // A binding may name the repository, so a run proves nothing before the name of its repository is known.
  const settle = async () => {
    await whenNamed();
    return (await deps.settleProofs?.()) ?? true;
  };
  const ejector = new Ejector({ store, registry, writer, announcer, history, clock, policies, warn, settle });
  const ingest = ingestWithQuota({ ...deps, settle }, registry, writer);

  registry.listen({ changed: ({ runId }) => announcer.changed(runId) });
  const sweeps = startSweeps({ booted, registry, ejector, warn });
  const isWriting = (runId: string) => writer.isWriting(runId);
  const saveEnded = async () => {
    // The row records whether the history has the run, so it is written after the history.
    for (const caughtUp of await history.flushSome()) rows.markChanged(caughtUp);
    await rows.save(isWriting);
  };
  const archives = new ArchiveCheck({ store, registry, warn });
  const stops = startTimers({ clock, store, history, saveEnded, sweeps, archives });
  void sweeps.first.then(() => history.catchUp());
  return {
    ...{ registry, cache, summaries, writer, ejector, archives, ingest, store, history, clock, timeBudget },
    ready: booted.ready,
    async stop() {
      for (const stop of stops) stop();
      booted.stop();
      await sweeps.first;
      await writer.drained();
      rows.markLive();
      await announcer.stop();
      await history.flush();
      await rows.save(isWriting);
      await store.close();
    },
  };
}

type TimerDeps = {
  clock: Clock;
  store: RunStore;
  history: TestHistory;
  saveEnded: () => Promise<void>;
  sweeps: ReturnType<typeof startSweeps>;
  archives: ArchiveCheck;
};

/** Starts the periodic work; returns how to stop each part. */
const startTimers = ({ clock, store, history, saveEnded, sweeps, archives }: TimerDeps) => [
  clock.every(1000, sweeps.silent),
  clock.every(1000, sweeps.warned(saveEnded)),
  clock.every(
    checkpointMs,
    sweeps.warned(() => store.checkpoint()),
  ),
  clock.every(archiveCheckMs, sweeps.warned(archives.some)),
  clock.every(hourMs, sweeps.age),
  clock.every(
    hourMs,
    sweeps.warned(async () => history.sweep()),
  ),
];

function ingestWithQuota(
  deps: ConsoleRunsDeps & Pick<IngestDeps, 'settle'>,
  registry: RunRegistry,
  writer: RunWriter,
): Ingest {
  const board = {
    has: (runId: string) => registry.get(runId) !== undefined,
    hasEnded: (runId: string) => registry.get(runId)?.head.finish != null,
    live: () => registry.live.size,
    bytesOf: (runId: string) => registry.get(runId)?.bytes ?? 0,
  };
  const now = () => deps.clock.monotonic();
  const megabyte = 1024 * 1024;
  const { runMb, publisherMbPerHour } = deps.policies;
  const bytes = { runBytes: runMb * megabyte, senderBytesPerHour: publisherMbPerHour * megabyte };
  const limits = { ...newRunLimits, onBoard: deps.policies.maxRuns };
  const quota = new NewRunQuota(limits, now);
  return createIngest({ ...deps, writer, quota, archiveQuota: new ArchiveQuota(bytes, now), board });
}

type SweepDeps = {
  booted: BootedRuns;
  registry: RunRegistry;
  ejector: Ejector;
  warn: (details: object, text: string) => void;
};

/** Applies the policies at start-up, when a run ends, and periodically. A sweep that fails is retried the next time. */
function startSweeps({ booted, registry, ejector, warn }: SweepDeps) {
  const warned = (work: () => Promise<void>) => () =>
    work().catch((err) => warn({ err }, 'a sweep of the archives failed and will be retried'));
  const board = warned(() => ejector.sweepBoard());
  const age = warned(() => ejector.sweepAge());
  registry.listen({ ended: () => void board() });
  const first = booted.ready.then(age, (err) => warn({ err }, 'the runs could not be read')).then(board);
  return { first, age, silent: warned(() => ejector.sweepSilent()), warned };
}
