import type { z } from 'zod';
import type { Refusal } from './outcome.ts';

/** `observed`: an observer saw it. `asserted`: a caller claimed it. */
export type Provenance = 'observed' | 'asserted';

export type NewEvent<Type extends string = string, Data = unknown> = {
  type: Type;
  data: Data;
  /** Who acted: a label of the caller, `observer:<kind>`, or `service`. */
  by: string;
  provenance?: Provenance;
};

/** An event as the log keeps it. `sequence` orders the whole log, `version` its own stream; both start at 1. */
export type RecordedEvent<Type extends string = string, Data = unknown> = Required<NewEvent<Type, Data>> & {
  sequence: number;
  stream: string;
  version: number;
  /** The topic that this event belongs to, such as `plan:checkout-2`; several streams may share a topic. */
  topic: string;
  id: string;
  at: string;
};

export type Append = {
  stream: string;
  /** Defaults to the stream's own name. */
  topic?: string;
  events: readonly NewEvent[];
};

/**
 * The result of a decision. `append` is written completely or not at all; `reads` names streams that were read and must
 * not have changed. `answer` is called once the appended events are folded, before anyone else's are.
 */
export type Decision<Answer> = {
  append: readonly Append[];
  reads?: readonly string[];
  answer: () => Answer;
  /** False for answers that must not be repeated for an idempotency key, such as a lost race. */
  remember?: boolean;
};

/** Whether an earlier call, which is decided but not folded yet, will write to that stream. */
export type IsPendingWrite = (stream: string) => boolean;

/**
 * Called again if another writer was first, so it must not change anything itself. If several calls are decided on the
 * same state, `isTaken` lets a call avoid what earlier calls have already chosen.
 */
export type Decide<Answer> = (now: string, isTaken?: IsPendingWrite) => Decision<Answer> | Refusal;

/** Folds the log into memory. After `reset` every event is applied again from the first. */
export type Projection = { apply(event: RecordedEvent): void; reset(): void };

/**
 * A projection that can be saved as plain data and loaded again, so that a start need not fold the whole log. It only
 * receives data saved by the same program: other snapshots are discarded.
 */
export type SavableProjection<Saved = unknown> = Projection & {
  readonly savedAs: string;
  save(): Saved;
  load(saved: Saved): void;
};

/** The store was found to hold a different history from memory: both epochs, and how far each went. */
export type HistoryChange = { from: string; to: string; foldedBefore: number; foldedNow: number };

/** An idempotency key with the fingerprint of the call that it guards. */
export type IdempotencyGuard = { key: string; fingerprint: string };
/** `answer` is null when the process died between writing the events and the answer. */
export type RememberedAnswer = IdempotencyGuard & { at: string; answer: unknown };

export type EventLog = {
  /** The store's own clock, which decides when leases end. ISO 8601, milliseconds. */
  now(): string;
  /** Decides on events that are about to be durable, appends and folds them; resolves once they are durable. */
  commit<Answer>(decide: Decide<Answer>, guard?: IdempotencyGuard): Promise<Answer | Refusal>;
  /** Applies every event so far, read once for all projections, then each new one, in order. */
  attach(...projections: readonly Projection[]): Promise<void>;
  /** Called after each commit, in order, with the durable events. Returns a function that stops listening. */
  onCommitted(listener: (events: readonly RecordedEvent[]) => void): () => void;
  /** Called once memory holds a different history from the one announced before. Returns a function that stops listening. */
  onReplaced(listener: (change: HistoryChange) => void): () => void;
  read(stream: string): Promise<readonly RecordedEvent[]>;
  /** The events of one topic in order, after that sequence. */
  readTopic(topic: string, after?: number): Promise<readonly RecordedEvent[]>;
  /** The sequence of the first event at or after that instant; one after the newest if there is none. */
  firstSince(at: string): Promise<number>;
  /** Events of all topics in order, starting at that sequence: at most `limit` and about a megabyte, but at least one. */
  readFrom(sequence: number, limit: number): Promise<readonly RecordedEvent[]>;
  /** Synchronous if the store allows it, so that calls made in one turn stay in order. */
  rememberedAnswer(key: string): Promise<RememberedAnswer | undefined> | RememberedAnswer | undefined;
  close(): Promise<void>;
};

/** Characters of data after which a piece of the log is long enough. */
export const longPiece = 1_000_000;

/** How long the answer of an idempotency key is remembered. */
export const rememberForMs = 24 * 60 * 60_000;

/** The events of one kind of stream. The version is increased when an event's data changes its meaning. */
export type EventSchemas = { version: number; types: Readonly<Record<string, z.ZodType>> };

type TypeIn<Schemas extends EventSchemas> = keyof Schemas['types'] & string;

/** The events of a room as a union, which a switch over `type` narrows. */
export type EventIn<Schemas extends EventSchemas> = {
  [Type in TypeIn<Schemas>]: { type: Type; data: z.output<Schemas['types'][Type]> };
}[TypeIn<Schemas>];

/** Events in the form in which the log holds them. */
export type Recorded<Event extends { type: string; data: unknown }> = Event extends unknown
  ? RecordedEvent<Event['type'], Event['data']>
  : never;
