import { type Announcements, createAnnouncements } from '../../kernel/announce.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Delivery } from './delivery.ts';
import { Ejector, type Policies } from './eject.ts';
import { Feed } from './feed.ts';
import { createIngest, type Ingest } from './ingest.ts';
import type { Archive, Breathe, JoinLines, RepositoryNames, SplitBatch } from './ports.ts';
import { RunRegistry } from './registry.ts';

export type ConsoleRunsDeps = {
  archive: Archive;
  clock: Clock;
  breathe: () => Breathe;
  split: SplitBatch;
  lines: JoinLines;
  repositoryNames: RepositoryNames;
  host: string;
  policies: Policies;
  announcements?: Announcements;
  warn: (details: object, text: string) => void;
};

/** The run console without its doors. */
export type ConsoleRuns = {
  registry: RunRegistry;
  delivery: Delivery;
  ejector: Ejector;
  ingest: Ingest;
  archive: Archive;
  clock: Clock;
  breathe: () => Breathe;
  /** Lets in what is under way, then writes what is worth keeping. */
  stop(): Promise<void>;
};

const hourMs = 60 * 60_000;
const checkpointMs = 20_000;

/** Puts the parts together and starts to read the archives; it does not wait for them. */
export function createConsoleRuns(deps: ConsoleRunsDeps): ConsoleRuns {
  const { archive, clock, breathe, policies, warn } = deps;
  const registry = new RunRegistry(deps);
  const summary = (runId: string) => {
    const entry = registry.get(runId);
    return entry && registry.summary(entry);
  };
  const announcements = deps.announcements ?? createAnnouncements();
  const feed = new Feed({ announcements, summaryOf: summary, breathe });
  const delivery = new Delivery(registry, feed, breathe);
  const ejector = new Ejector({ registry, delivery, feed, clock, policies, warn });
  const ingest = createIngest({ ...deps, delivery });

  const alone = (work: () => Promise<void>) => () =>
    work().catch((err) => warn({ err }, 'a sweep of the archives failed; it is tried again'));
  const sweepBoard = alone(() => ejector.sweepBoard());
  const sweepAge = alone(() => ejector.sweepAge());
  const sweepSilent = alone(() => ejector.sweepSilent());
  registry.tell({ changed: feed.changed, ended: () => void sweepBoard() });
  const booted = registry
    .boot()
    .then(sweepAge, (err) => warn({ err }, 'the archives could not be read'))
    .then(sweepBoard);
  const checkpoint = alone(() => archive.checkpoint());
  const stops = [
    clock.every(100, () => feed.flush()),
    clock.every(1000, sweepSilent),
    clock.every(1000, () => registry.saveIndexes()),
    clock.every(checkpointMs, checkpoint),
    clock.every(hourMs, sweepAge),
  ];
  return {
    registry,
    delivery,
    ejector,
    ingest,
    archive,
    clock,
    breathe,
    async stop() {
      for (const stop of stops) stop();
      registry.halt();
      await booted;
      await registry.counted;
      await delivery.drained();
      await feed.flush();
      await registry.saveIndexes();
      await archive.close();
    },
  };
}
