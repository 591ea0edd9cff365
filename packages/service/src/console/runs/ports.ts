import type { RunHeadline } from './run-views.ts';

/** What the run list needs without reading the archive. Rebuilt whenever it does not match its archive. */
export type ArchiveIndex = {
  /** Size of the archive that this speaks about, and when it was last changed. */
  bytes: number;
  changedAtMs: number;
  heardAtMs: number;
  firstWrittenAtMs: number;
  /** Lines that could not be read. */
  skipped: number;
  repositoryName: string | null;
  head: RunHeadline;
  retried: readonly RetriedScenario[];
  /** Whether the history of tests has the run; indexes of older releases do not say. */
  recorded?: boolean;
};

/** A scenario that needed more than one attempt. */
export type RetriedScenario = { uid: string; attempts: number; passed: boolean; reasons: readonly string[] };

export type StoredArchive = {
  runId: string;
  bytes: number;
  changedAtMs: number;
  createdAtMs: number;
  index: ArchiveIndex | null;
};

/** Lines of an archive that tell its beginning and its end; `isWhole` where nothing else was there to look at. */
export type ArchiveEnds = { lines: readonly string[]; isWhole: boolean };

/** One NDJSON file per run. An appended line is on disk before `append` resolves: in its archive or in the journal. */
export type Archive = {
  /** Rejects when the lines could not be made durable; nothing of them is left then. */
  append(runId: string, pieces: readonly (Uint8Array | string)[]): Promise<void>;
  /** Which of these lines the archive holds, byte for byte; by their place in the list. */
  contains(runId: string, lines: readonly Uint8Array[]): Promise<ReadonlySet<number>>;
  /** Every archive that is not ejected. */
  stored(): AsyncIterable<StoredArchive>;
  /** Null when there is none. */
  size(runId: string): Promise<{ bytes: number; changedAtMs: number } | null>;
  /** The raw bytes as they were when reading began; null when there is no such archive. */
  read(runId: string): Promise<AsyncIterable<Uint8Array> | null>;
  /** The same as lines of text, many at a time. */
  lines(runId: string): Promise<AsyncIterable<readonly string[]> | null>;
  /** Lines that tell how the run began and ended, in their order and without reading all of it; null for no archive. */
  ends(runId: string): Promise<ArchiveEnds | null>;
  /** The content of an attachment by its hash; null when the archive has none. */
  attachment(runId: string, sha256: string): Promise<Uint8Array | null>;
  saveIndex(runId: string, index: ArchiveIndex): Promise<void>;
  /** Moves the archive away; from then on it counts as ejected at that time. False when there is none. */
  eject(runId: string, atMs: number): Promise<boolean>;
  /** Who asked for the eject of the run that was ejected last under this id; null where nobody did. */
  ejectedBy(runId: string): Promise<string | null>;
  /** Deletes archives that were ejected before that time, and tells how many. */
  deleteEjected(beforeMs: number): Promise<number>;
  /** Flushes the archives, so that a start has little to take back from the journal. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
};

/** Lets long work yield to the event loop between two slices. */
export type TimeBudget = {
  /** True once the time budget is used up. Pass a higher weight for a larger slice. */
  isSpent(weight?: number): boolean;
  pause(): Promise<void>;
};

/** The weight of a slice that may take long by itself, as that of a long text does: the clock is read after each. */
export const unknownWeight = 16;

/** The weight of an event of so many bytes; most have a few hundred. */
export const weightOf = (bytes: number): number => 1 + (bytes >> 11);

/** One event of a batch: its value and where in the batch's bytes it stands. */
export type EventSlice = { value: unknown; from: number; to: number };
/** `events` in the order they came, `noBatch` for JSON that is no batch, `tooLarge` for what is not read, `noJson` for anything else. */
export type BatchSplit =
  | { kind: 'events'; bytes: Uint8Array; slices: readonly EventSlice[] }
  | { kind: 'noBatch' }
  | { kind: 'tooLarge'; message: string }
  | { kind: 'noJson' };
/** Makes lines of an archive out of the bytes that events came as, which are used up by it. */
export type JoinLines = (
  bytes: Uint8Array,
  slices: readonly EventSlice[],
  timeBudget: TimeBudget,
) => Promise<Uint8Array[]>;
export type SplitBatch = (body: Uint8Array, timeBudget: TimeBudget) => Promise<BatchSplit>;

/** The `owner/name` of the repository at a path, as far as it can be seen from here. */
export type RepositoryNames = (path: string) => Promise<string | null>;
