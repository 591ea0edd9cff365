import { current } from './fold-attempts.ts';
import type { ArchiveIndex, RetriedScenario } from './ports.ts';
import { newRun, type Run } from './run.ts';
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
  repositoryName: string | null;
  skipped: number;
  retried: readonly RetriedScenario[];
  /** False while only the ends of its archive are read. */
  counted: boolean;
  /** Bytes of the archive, as far as memory needs to know. */
  bytes: number;
};

export function newBoardRun(runId: string, heardAtMs: number, heardAt: number): BoardRun {
  return {
    runId,
    head: headlineOf(newRun(runId)),
    run: null,
    orphaned: false,
    heardAtMs,
    heardAt,
    repositoryName: null,
    skipped: 0,
    retried: [],
    counted: true,
    bytes: 0,
  };
}

/** An unfinished run found at boot counts as orphaned until its publisher sends again. */
export function boardRunFromIndex({ index, runId }: { runId: string; index: ArchiveIndex }, heardAt: number): BoardRun {
  return {
    ...newBoardRun(runId, index.heardAtMs, heardAt),
    head: index.head,
    orphaned: index.head.finish === null,
    repositoryName: index.repositoryName,
    skipped: index.skipped,
    retried: index.retried,
    bytes: index.bytes,
  };
}

/** A run without an index. The archive's modification time stands for its last event. */
export function boardRunFromArchive(
  runId: string,
  head: RunHeadline,
  { bytes, changedAtMs }: { bytes: number; changedAtMs: number },
  heardAt: number,
): BoardRun {
  const boardRun = newBoardRun(runId, Math.round(changedAtMs), heardAt);
  return { ...boardRun, head, orphaned: head.finish === null, bytes, counted: false };
}

export const archiveIndexOf = (boardRun: BoardRun, bytes: number, changedAtMs: number): ArchiveIndex => ({
  bytes,
  changedAtMs,
  heardAtMs: boardRun.heardAtMs,
  skipped: boardRun.skipped,
  repositoryName: boardRun.repositoryName,
  head: boardRun.head,
  retried: boardRun.retried,
});

/** With more, the index would be as large as the archive. */
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
