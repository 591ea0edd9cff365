/** Lets long work yield to the event loop between two slices. */
export type TimeBudget = {
  /** True once the time budget is used up. Pass a higher weight for a larger slice. */
  isSpent(weight?: number): boolean;
  pause(): Promise<void>;
};

/** The weight of a slice that may take long by itself, such as a long text: the clock is read after each. */
export const unknownWeight = 16;

/** The weight of an event by its size in bytes; most events have a few hundred. */
export const weightOf = (bytes: number): number => 1 + (bytes >> 11);

/** One event of a batch: its value and its range in the bytes of the batch. */
export type EventSlice = { value: unknown; from: number; to: number };
/**
 * `events` in order, `noBatch` for JSON that is not a batch, `tooLarge` for a body that is not read, `noJson` for
 * anything else.
 */
export type BatchSplit =
  | { kind: 'events'; bytes: Uint8Array; slices: readonly EventSlice[] }
  | { kind: 'noBatch' }
  | { kind: 'tooLarge'; message: string }
  | { kind: 'noJson' };
/** Turns the bytes of events into lines of an archive, in place where possible; the batch cannot be used afterwards. */
export type JoinLines = (
  bytes: Uint8Array,
  slices: readonly EventSlice[],
  timeBudget: TimeBudget,
) => Promise<Uint8Array[]>;
export type SplitBatch = (body: Uint8Array, timeBudget: TimeBudget) => Promise<BatchSplit>;

/** The `owner/name` of the repository at a path; null if it cannot be read. */
export type RepositoryNames = (path: string) => Promise<string | null>;
