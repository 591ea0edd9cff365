import type { HistoryStore } from './history/ports.ts';
import type { RunStamp } from './run.ts';
import type { RunHeadline } from './run-views.ts';

/** A scenario that needed more than one attempt. */
export type RetriedScenario = { uid: string; attempts: number; passed: boolean; reasons: readonly string[] };

/** A run as lists show it, so that nobody has to read its archive. */
export type RunRow = {
  /** Size of the archive that this describes. */
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
  /** What the console noted of it when its events arrived. */
  stamp: RunStamp;
  /** Null where the archive holds more, or less, than the row describes: it is read then. */
  row: RunRow | null;
  /** Null for an archive that is gone. */
  archive: { bytes: number; changedAtMs: number; createdAtMs: number } | null;
  /** Somebody cut off a part of what `row` describes. */
  isShortened?: boolean;
};

/** Runs on disk: one NDJSON archive for each, and one database for everything else that is known of them. */
export type RunStore = {
  /** Every run that is not ejected. */
  stored(): Promise<readonly StoredRun[]>;
  /**
   * Adds lines to an archive, and what the console notes beside them. Both are durable once this resolves. Rejects when
   * they could not be made durable; nothing of them is left then.
   */
  append(runId: string, pieces: readonly (Uint8Array | string)[], stamp?: RunStamp): Promise<void>;
  /** Which of these lines the archive holds, byte for byte; by their place in the list. */
  contains(runId: string, lines: readonly Uint8Array[]): Promise<ReadonlySet<number>>;
  /** Writes down how runs are listed. A row that is lost in a crash is made again from its archive. */
  save(rows: ReadonlyMap<string, Omit<RunRow, 'bytes'>>): Promise<void>;
  /** The events as they were sent, up to what was written when reading began; null when there is no such archive. */
  read(runId: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** The same as lines of text, many at a time, with the notes that earlier releases wrote between them. */
  lines(runId: string): Promise<AsyncIterable<readonly string[]> | null>;
  /** What is wrong with the archive, as a sentence; null if nothing is, or if it is ejected. */
  damageOf(runId: string): Promise<string | null>;
  /** The content of an attachment by its hash; null when the archive has none. */
  attachment(runId: string, sha256: string): Promise<Uint8Array | null>;
  /** Moves the archive away; from then on it counts as ejected at that time. `by` is null for a policy. */
  eject(runId: string, atMs: number, by: string | null): Promise<void>;
  /** Who ejected the latest run with this id; null if nobody did. */
  ejectedBy(runId: string): Promise<string | null>;
  /** Deletes archives that were ejected before that time, and returns how many. */
  deleteEjected(beforeMs: number): Promise<number>;
  history: HistoryStore;
  /** Flushes the archives, so that a start has little to complete. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
};
