import { current } from './fold-attempts.ts';
import type { Index, Retried } from './ports.ts';
import { newRun, type Run } from './run.ts';
import { type Head, headOf, reasonsOf } from './views.ts';

/** A run on the board. Its folded events are in memory while it lives and when someone looked at it lately. */
export type Entry = {
  runId: string;
  head: Head;
  run: Run | null;
  orphaned: boolean;
  /** When its last event came, by the wall and by the clock that never goes back. */
  heardAtMs: number;
  heardAt: number;
  repositoryName: string | null;
  skipped: number;
  retried: readonly Retried[];
  /** False while only the ends of its archive are read. */
  counted: boolean;
  /** Bytes of the archive, as far as memory needs to know. */
  bytes: number;
  usedAt: number;
};

export function newEntry(runId: string, heardAtMs: number, heardAt: number): Entry {
  return {
    runId,
    head: headOf(newRun(runId)),
    run: null,
    orphaned: false,
    heardAtMs,
    heardAt,
    repositoryName: null,
    skipped: 0,
    retried: [],
    counted: true,
    bytes: 0,
    usedAt: heardAt,
  };
}

/** An unfinished run found at boot has lost its publisher until that is heard of again. */
export function entryFrom({ index, runId }: { runId: string; index: Index }, heardAt: number): Entry {
  return {
    ...newEntry(runId, index.heardAtMs, heardAt),
    head: index.head,
    orphaned: index.head.finish === null,
    repositoryName: index.repositoryName,
    skipped: index.skipped,
    retried: index.retried,
    bytes: index.bytes,
  };
}

/** One of which no index tells; it was last heard of when its archive was last changed. */
export function foundEntry(
  runId: string,
  head: Head,
  { bytes, changedAtMs }: { bytes: number; changedAtMs: number },
  heardAt: number,
): Entry {
  const entry = newEntry(runId, Math.round(changedAtMs), heardAt);
  return { ...entry, head, orphaned: head.finish === null, bytes, counted: false };
}

export const indexOf = (entry: Entry, bytes: number, changedAtMs: number): Index => ({
  bytes,
  changedAtMs,
  heardAtMs: entry.heardAtMs,
  skipped: entry.skipped,
  repositoryName: entry.repositoryName,
  head: entry.head,
  retried: entry.retried,
});

/** More would make the index as large as what it stands for. */
const retriedAtMost = 1000;

export function retriedIn(run: Run): Retried[] {
  const found: Retried[] = [];
  for (const scenario of run.scenarios.values()) {
    const { number, outcome, attempts } = current(scenario);
    if (!scenario.retries && number === 1 && outcome !== 'PassOnRetry') continue;
    const passed = outcome === 'PassOnRetry' || outcome === 'CleanPass';
    found.push({ uid: scenario.uid, attempts: attempts ?? number, passed, reasons: reasonsOf(scenario) });
    if (found.length === retriedAtMost) break;
  }
  return found;
}
