import { type Announcements, createAnnouncements } from '../../kernel/announcements.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Ejector, type Policies } from './eject.ts';
import { createIngest, type Ingest } from './ingest.ts';
import type { Archive, JoinLines, RepositoryNames, SplitBatch, TimeBudget } from './ports.ts';
import { RunAnnouncer } from './run-announcer.ts';
import { RunRegistry } from './run-registry.ts';
import { RunWriter } from './run-writer.ts';

export type ConsoleRunsDeps = {
  archive: Archive;
  clock: Clock;
  timeBudget: () => TimeBudget;
  split: SplitBatch;
  lines: JoinLines;
  repositoryNames: RepositoryNames;
  host: string;
  policies: Policies;
  announcements?: Announcements;
  warn: (details: object, text: string) => void;
};

/** The run console without its HTTP routes. */
export type ConsoleRuns = {
  registry: RunRegistry;
  writer: RunWriter;
  ejector: Ejector;
  ingest: Ingest;
  archive: Archive;
  clock: Clock;
  timeBudget: () => TimeBudget;
  /** Finishes the queued batches, then writes the indexes and closes the archives. */
  stop(): Promise<void>;
};

const hourMs = 60 * 60_000;
const checkpointMs = 20_000;

/** Puts the parts together and starts to read the archives; it does not wait for them. */
export function createConsoleRuns(deps: ConsoleRunsDeps): ConsoleRuns {
  const { archive, clock, timeBudget, policies, warn } = deps;
  const registry = new RunRegistry(deps);
  const summary = (runId: string) => {
    const boardRun = registry.get(runId);
    return boardRun && registry.summary(boardRun);
  };
  const announcements = deps.announcements ?? createAnnouncements();
  const announcer = new RunAnnouncer({ announcements, summaryOf: summary, timeBudget });
  const writer = new RunWriter(registry, announcer, timeBudget);
  const ejector = new Ejector({ registry, writer, announcer, clock, policies, warn });
  const ingest = createIngest({ ...deps, writer });

  const warnOnFailure = (work: () => Promise<void>) => () =>
    work().catch((err) => warn({ err }, 'a sweep of the archives failed; it is tried again'));
  const sweepBoard = warnOnFailure(() => ejector.sweepBoard());
  const sweepAge = warnOnFailure(() => ejector.sweepAge());
  const sweepSilent = warnOnFailure(() => ejector.sweepSilent());
  registry.listen({ changed: announcer.changed, ended: () => void sweepBoard() });
  const booted = registry
    .boot()
    .then(sweepAge, (err) => warn({ err }, 'the archives could not be read'))
    .then(sweepBoard);
  const checkpoint = warnOnFailure(() => archive.checkpoint());
  const stops = [
    clock.every(100, () => announcer.flush()),
    clock.every(1000, sweepSilent),
    clock.every(1000, () => registry.saveIndexes()),
    clock.every(checkpointMs, checkpoint),
    clock.every(hourMs, sweepAge),
  ];
  return {
    registry,
    writer,
    ejector,
    ingest,
    archive,
    clock,
    timeBudget,
    async stop() {
      for (const stop of stops) stop();
      registry.stopReading();
      await booted;
      await registry.counted;
      await writer.drained();
      await announcer.flush();
      await registry.saveIndexes();
      await archive.close();
    },
  };
}
