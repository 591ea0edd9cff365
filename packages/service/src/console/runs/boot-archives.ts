import type { Clock } from '../../kernel/clock.ts';
import { archiveIndexOf, type BoardRun, boardRunFromArchive } from './board-run.ts';
import { listArchives } from './list-archives.ts';
import type { Archive, RepositoryNames, StoredArchive, TimeBudget } from './ports.ts';
import { replayArchive } from './replay.ts';
import { newRun, type Run } from './run.ts';
import type { RunRegistry } from './run-registry.ts';
import { headlineOf } from './run-views.ts';

type BootArchivesDeps = {
  archive: Archive;
  clock: Clock;
  timeBudget: () => TimeBudget;
  repositoryNames: RepositoryNames;
  registry: RunRegistry;
  warn: (details: object, text: string) => void;
};

export type BootedArchives = {
  /** Resolves once every archive that was there at the start is on the board. */
  ready: Promise<void>;
  /** Resolves once each of them is read whole, or the reading was stopped. */
  counted: Promise<void>;
  /** Stops reading archives that are not on the board yet; the next start reads them. */
  stop(): void;
};

/** Puts the archives of earlier processes on the board: first what their indexes or ends tell, then each in full. */
export function bootArchives(deps: BootArchivesDeps): BootedArchives {
  let stopped = false;
  const countAll = async (unread: readonly StoredArchive[]): Promise<void> => {
    for (const stored of unread) {
      if (stopped) return;
      await count(deps, stored);
    }
  };
  const listed = listArchives(deps);
  return {
    ready: listed.then(() => undefined),
    counted: listed.then(countAll).catch(() => undefined),
    stop() {
      stopped = true;
    },
  };
}

async function count(deps: BootArchivesDeps, { runId, bytes, changedAtMs, createdAtMs }: StoredArchive): Promise<void> {
  const { archive, timeBudget, registry, clock, warn } = deps;
  const listed = registry.get(runId);
  if (listed?.counted) return;
  // Heard of, loaded or ejected meanwhile.
  const isElsewhere = () => registry.get(runId) !== listed || listed?.counted === true;
  const boardRunOf = (run: Run) =>
    listed ?? boardRunFromArchive(runId, headlineOf(run), { bytes, changedAtMs, createdAtMs }, clock.monotonic());
  const unreadable = (why: object) => {
    if (isElsewhere()) return;
    registry.recordUnreadable(boardRunOf(newRun(runId)));
    warn({ ...why, runId }, 'the archive of a run cannot be read; the run is unreadable and proves nothing');
  };
  try {
    const stored = await archive.lines(runId);
    if (!stored) return listed && unreadable({ reason: 'the file is gone' });
    const { run, lines, skipped } = await replayArchive(runId, stored, timeBudget());
    if (lines === 0) {
      const hadRun = listed !== undefined || (skipped > 0 && run.receivedAt === null);
      return hadRun ? unreadable({ reason: 'no line of it is an event of this run', skipped }) : undefined;
    }
    if (isElsewhere()) return;
    const counted = boardRunOf(run);
    registry.recordFullRead(counted, run, skipped);
    warnOfSkipped(counted, warn);
    await archive.saveIndex(runId, archiveIndexOf(counted, bytes, changedAtMs)).catch((err) => {
      warn({ err, runId }, 'an index could not be written; it is made again at the next start');
    });
  } catch (err) {
    unreadable({ err });
  }
}

export function warnOfSkipped({ runId, skipped }: BoardRun, warn: (details: object, text: string) => void): void {
  if (skipped > 0) warn({ runId, skipped }, 'lines of an archive could not be read and were skipped');
}
