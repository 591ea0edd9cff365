import type { Clock } from '../../kernel/clock.ts';
import type { TimeBudget } from './ports.ts';
import { replayArchive } from './replay.ts';
import { newRun, type Run } from './run.ts';
import { type BoardRun, boardRunFromArchive, boardRunFromRow, type RunRegistry } from './run-registry.ts';
import type { RunRows } from './run-rows.ts';
import type { RunStore, StoredRun } from './run-store.ts';
import { headlineOf } from './run-views.ts';

type BootRunsDeps = {
  store: RunStore;
  clock: Clock;
  timeBudget: () => TimeBudget;
  registry: RunRegistry;
  rows: RunRows;
  /** Called with each run that was read from its archive. */
  onRead?: (boardRun: BoardRun, run: Run) => void;
  warn: (details: object, text: string) => void;
  info?: (details: object, text: string) => void;
};

export type BootedRuns = {
  /** Resolves once every run that was stored before the start is on the board. */
  ready: Promise<void>;
  /** Resolves once that run is on the board, if it was stored. */
  whenRead(runId: string): Promise<void>;
  /** Stops reading archives; the next start reads them. */
  stop(): void;
};

/** Progress is logged each time this many runs have been read. */
const progressEvery = 500;

/** Puts the runs of earlier processes on the board, from their rows. An archive without a matching row is read. */
export function bootRuns(deps: BootRunsDeps): BootedRuns {
  const reading = new Map<string, () => Promise<void>>();
  let stopped = false;
  const list = async () => {
    for (const stored of await deps.store.stored()) {
      if (stored.row && stored.archive && !stored.isShortened)
        deps.registry.add(boardRunFromRow(stored.runId, stored.row, deps.clock.monotonic()));
      else
        reading.set(
          stored.runId,
          once(() => readRun(deps, stored)),
        );
    }
  };
  const listed = list();
  const readAll = async () => {
    const of = reading.size;
    if (of > 0)
      deps.info?.(
        { of },
        'reading archives of runs in the background; until all are read, counts of runs are incomplete',
      );
    for (const [runId, read] of reading) {
      if (stopped) return;
      await read();
      reading.delete(runId);
      if (reading.size > 0 && reading.size % progressEvery === 0)
        deps.info?.({ read: of - reading.size, of }, 'reading archives of runs in the background');
    }
    if (of > 0) deps.info?.({ of }, 'the archives of all runs have been read');
  };
  const ready = listed.then(readAll);
  ready.catch(() => undefined);
  return {
    ready,
    whenRead: (runId) => listed.then(() => reading.get(runId)?.()),
    stop() {
      stopped = true;
    },
  };
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

async function readRun(deps: BootRunsDeps, { runId, stamp, row, archive, isShortened }: StoredRun): Promise<void> {
  const { store, timeBudget, registry, clock, rows, warn } = deps;
  const boardRunOf = (run: Run) =>
    row && (!archive || isShortened)
      ? boardRunFromRow(runId, row, clock.monotonic())
      : boardRunFromArchive(runId, headlineOf(run), archive ?? noArchive, clock.monotonic());
  const unreadable = (why: object) => {
    registry.recordUnreadable(boardRunOf(newRun(runId)));
    warn({ ...why, runId }, 'the archive of a run cannot be read; the run is unreadable and proves nothing');
  };
  if (isShortened) return unreadable({ reason: 'the file is shorter than it was' });
  try {
    const stored = archive && (await store.lines(runId));
    if (!stored) return unreadable({ reason: 'the file is gone' });
    const { run, lines, skipped } = await replayArchive(runId, stored, timeBudget(), stamp);
    if (lines === 0) {
      const wasRun = row !== null || stamp.receivedAt !== undefined || (skipped > 0 && run.receivedAt === null);
      return wasRun ? unreadable({ reason: 'no line of it is an event of this run', skipped }) : undefined;
    }
    const boardRun = boardRunOf(run);
    registry.recordFullRead(boardRun, run, skipped);
    deps.onRead?.(boardRun, run);
    rows.markChanged(boardRun);
    if (skipped > 0) warn({ runId, skipped }, 'lines of an archive could not be read and were skipped');
  } catch (err) {
    unreadable({ err });
  }
}

const noArchive = { bytes: 0, changedAtMs: 0, createdAtMs: 0 };
