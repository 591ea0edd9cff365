import { iso } from '../../kernel/clock.ts';
import { current } from './fold-attempts.ts';
import { newRun, type Run } from './run.ts';
import type { RetriedScenario, RunRow } from './run-store.ts';
import { headlineOf, type RunHeadline, retryReasonsOf } from './run-views.ts';

/** A run on the board. Its folded events are in memory while it lives and when someone looked at it lately. */
export type BoardRun = {
  runId: string;
  head: RunHeadline;
  run: Run | null;
  orphaned: boolean;
  /** When its last event arrived: wall time and monotonic time. */
  heardAtMs: number;
  heardAt: number;
  /** When its archive was first written, as far as the system remembers: the arrival of runs without a stamp. */
  firstWrittenAtMs: number;
  repositoryName: string | null;
  skipped: number;
  retried: readonly RetriedScenario[];
  /** Its archive could not be read. */
  unreadable: boolean;
  /** Bytes of the archive, as far as memory needs to know. */
  bytes: number;
  /** Whether the history of tests has it as it is now. */
  recorded: boolean;
};

export function newBoardRun(runId: string, heardAtMs: number, heardAt: number): BoardRun {
  return {
    runId,
    head: headlineOf(newRun(runId)),
    run: null,
    orphaned: false,
    heardAtMs,
    heardAt,
    firstWrittenAtMs: heardAtMs,
    repositoryName: null,
    skipped: 0,
    retried: [],
    unreadable: false,
    bytes: 0,
    recorded: false,
  };
}

/** An unfinished run found at boot counts as orphaned until its publisher sends again. */
export function boardRunFromRow(runId: string, row: RunRow, heardAt: number): BoardRun {
  const orphaned = row.head.finish === null;
  return { ...newBoardRun(runId, row.heardAtMs, heardAt), ...row, orphaned };
}

/** A run without a row. The archive's modification time stands for its last event. */
export function boardRunFromArchive(
  runId: string,
  head: RunHeadline,
  { bytes, changedAtMs, createdAtMs }: { bytes: number; changedAtMs: number; createdAtMs: number },
  heardAt: number,
): BoardRun {
  const boardRun = newBoardRun(runId, Math.round(changedAtMs), heardAt);
  // A copied file is younger than what was written to it.
  const firstWrittenAtMs = Math.round(Math.min(createdAtMs, changedAtMs));
  return { ...boardRun, firstWrittenAtMs, head, orphaned: head.finish === null, bytes };
}

/** When a run arrived, by the console's clock; it decides which run is newest, independent of the publishers' clocks. */
export const receivedAtOf = ({ head, firstWrittenAtMs }: Pick<BoardRun, 'head' | 'firstWrittenAtMs'>): string =>
  head.receivedAt ?? iso(firstWrittenAtMs);

export const runRowOf = (boardRun: BoardRun): Omit<RunRow, 'bytes'> => ({
  heardAtMs: boardRun.heardAtMs,
  firstWrittenAtMs: boardRun.firstWrittenAtMs,
  skipped: boardRun.skipped,
  repositoryName: boardRun.repositoryName,
  head: boardRun.head,
  retried: boardRun.retried,
  recorded: boardRun.recorded,
});

/** With more, the row would be as large as the archive. */
const retriedAtMost = 1000;

export function retriedScenariosIn(run: Run): RetriedScenario[] {
  const found: RetriedScenario[] = [];
  for (const scenario of run.scenarios.values()) {
    const { number, outcome, attempts } = current(scenario);
    if (!scenario.retries && number === 1 && outcome !== 'PassOnRetry') continue;
    const passed = outcome === 'PassOnRetry' || outcome === 'CleanPass';
    found.push({ uid: scenario.uid, attempts: attempts ?? number, passed, reasons: retryReasonsOf(scenario) });
    if (found.length === retriedAtMost) break;
  }
  return found;
}
