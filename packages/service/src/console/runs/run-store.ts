import type { VerdictStore } from '../../../../event-model/src/verdicts.ts';
import type { HistoryStore } from './history/ports.ts';
import type { RunStamp } from './run.ts';
import type { RunHeadline } from './run-views.ts';

/** A scenario that needed more than one attempt. */
export type RetriedScenario = { uid: string; attempts: number; passed: boolean; reasons: readonly string[] };

/** A run as lists show it, so that its archive need not be read. */
export type RunRow = {
  /** Size of the archive at the time of this row. */
  bytes: number;
  heardAtMs: number;
  firstWrittenAtMs: number;
  /** Lines that could not be read. */
  skipped: number;
  repositoryName: string | null;
  head: RunHeadline;
  retried: readonly RetriedScenario[];
  /** Whether the history of tests has the run. */
  recorded: boolean;
};

export type StoredRun = {
  runId: string;
  /** The console's own record of the run, made when its events arrived. */
  stamp: RunStamp;
  /** Null if the size of the archive differs from the row: the archive is read then. */
  row: RunRow | null;
  /** Null if the archive is missing. */
  archive: { bytes: number; changedAtMs: number; createdAtMs: number } | null;
  /** The archive is shorter than `row` describes. */
  isShortened?: boolean;
};

/** Runs on disk: one NDJSON archive for each run, and one database for everything else about them. */
export type RunStore = {
  /** Every run that is not ejected. */
  stored(): Promise<readonly StoredRun[]>;
  /**
   * Appends lines to an archive, and writes the stamp. Both are durable once this resolves. Rejects if they could not
   * be made durable; then none of them is kept.
   */
  append(runId: string, pieces: readonly (Uint8Array | string)[], stamp?: RunStamp): Promise<void>;
  /** The indexes of those lines that the archive holds byte for byte. */
  contains(runId: string, lines: readonly Uint8Array[]): Promise<ReadonlySet<number>>;
  /**
   * Writes the waiting verdicts, and the rows of runs; `rows` is called while nothing is appended. If a crash loses a
   * row, it is built again from its archive, and so are the verdicts of its run.
   */
  save(rows: () => ReadonlyMap<string, Omit<RunRow, 'bytes'>>): Promise<void>;
  /** The events as they were sent, up to what was written when reading began; null if the archive does not exist. */
  read(runId: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** The archive as lines of text, many at a time, including lines that earlier releases wrote between the events. */
  lines(runId: string): Promise<AsyncIterable<readonly string[]> | null>;
  /** The fault of the archive, as a sentence; null if the archive is intact or ejected. */
  damageOf(runId: string): Promise<string | null>;
  /** The content of an attachment by its hash; null when the archive has none. */
  attachment(runId: string, sha256: string): Promise<Uint8Array | null>;
  /** Moves the archive away; from then on it counts as ejected at that time. `by` is null for a policy. */
  eject(runId: string, atMs: number, by: string | null): Promise<void>;
  /** Who ejected the latest run with this id; null if it was a policy, or if none was ejected. */
  ejectedBy(runId: string): Promise<string | null>;
  /** Deletes archives that were ejected before that time, and returns how many. */
  deleteEjected(beforeMs: number): Promise<number>;
  history: HistoryStore;
  verdicts: VerdictStore;
  /** Flushes the archives, so that a start has little to complete. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
};
