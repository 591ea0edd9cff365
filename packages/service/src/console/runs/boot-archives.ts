import type { Clock } from '../../kernel/clock.ts';
import { archiveIndexOf, type BoardRun, boardRunFromArchive } from './board-run.ts';
import { listArchives } from './list-archives.ts';
import type { Archive, RepositoryNames, StoredArchive, TimeBudget } from './ports.ts';
import { replayArchive } from './replay.ts';
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
  try {
    const stored = await archive.lines(runId);
    if (!stored) return;
    const { run, lines, skipped } = await replayArchive(runId, stored, timeBudget());
    const boardRun = registry.get(runId);
    // Heard of, loaded or ejected meanwhile.
    if (lines === 0 || boardRun !== listed || boardRun?.counted) return;
    const times = { bytes, changedAtMs, createdAtMs };
    const counted = boardRun ?? boardRunFromArchive(runId, headlineOf(run), times, clock.monotonic());
    registry.recordFullRead(counted, run, skipped);
    warnOfSkipped(counted, warn);
    await archive.saveIndex(runId, archiveIndexOf(counted, bytes, changedAtMs));
  } catch (err) {
    warn({ err, runId }, 'an archive could not be read');
  }
}

export function warnOfSkipped({ runId, skipped }: BoardRun, warn: (details: object, text: string) => void): void {
  if (skipped > 0) warn({ runId, skipped }, 'lines of an archive could not be read and were skipped');
}
