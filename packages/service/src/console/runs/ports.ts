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
/** `events` in the order they came, `noBatch` for JSON that is not a batch, `tooLarge` for what is not read, `noJson` for anything else. */
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
