import type { RecordedEvent, RememberedAnswer } from '../kernel/event-log.ts';

/** An event about to be stored, with its data as the JSON text. */
export type StampedEvent = { event: RecordedEvent; text: string };

/** A key as it is stored; the answer is JSON text. */
export type StoredKey = Omit<RememberedAnswer, 'answer'> & { answer: string | null };

/**
 * The operations that group commit needs from a store of events. They are synchronous, so that nobody can read between
 * fold and COMMIT.
 */
export type Ledger = {
  begin(): void;
  append(written: StampedEvent): void;
  remember(key: StoredKey): void;
  /** Drops keys remembered before that instant. */
  forget(before: string): void;
  commit(): void;
  rollback(): void;
  /** Test write; throws the error. Shows whether writing works again before a caller's events are written. */
  probe(): void;
  /** Whether writes must stop after this fault until a restart. */
  isFatal(fault: unknown): boolean;
  /** The id of this history: created with the store, and replaced on a restore. */
  epoch(): string;
  /** The last sequence. */
  newest(): number;
  idAt(sequence: number): string | undefined;
  /** Every event after `after`, or from the first, one row at a time. */
  all(after?: number): Iterable<RecordedEvent>;
  versions(): Iterable<readonly [stream: string, version: number]>;
  stream(stream: string): readonly RecordedEvent[];
  topic(topic: string, after: number): readonly RecordedEvent[];
  /** Events of all topics from that sequence: at most `limit` and about `longPiece` characters, but at least one. */
  from(sequence: number, limit: number): readonly RecordedEvent[];
  remembered(key: string): StoredKey | undefined;
  close(): void;
};
