import type { HistoryChange, Projection, RecordedEvent } from '../../kernel/event-log.ts';
import { FoldedState } from '../folded-state.ts';
import { CommitListeners } from '../listeners.ts';
import { GapCheck } from '../moved-events.ts';
import type { Snapshot, Snapshots } from '../snapshot.ts';
import { SnapshotKeeper } from '../snapshot-keeper.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Query } from './database-connection.ts';
import { type LogPosition, PositionMissing, readPage } from './log-position.ts';
import { HistoryChanged } from './store-unavailable.ts';

const beginning: LogPosition = { epoch: null, sequence: 0, id: null };
const noLimit = Number.MAX_SAFE_INTEGER;

/**
 * Folds the log, written by any host, into memory in order. Every read verifies the last folded position; if the log
 * does not contain it, the whole log is folded again. Runs only in the queue.
 */
export class LogFollower {
  readonly folded = new FoldedState();
  readonly listeners = new CommitListeners();
  readonly topics = new TopicCache();
  readonly #query: Query;
  readonly #clock: DatabaseClock;
  readonly #keeper: SnapshotKeeper;
  readonly #replaced = new Set<(change: HistoryChange) => void>();
  readonly #replacing = new Set<() => void>();
  #position = beginning;
  #isLoaded = false;
  #hasProjection = false;
  /** The end of the log when it was opened: later events are announced. */
  #openedAt = 0;
  /** The end of the log at the last query. */
  head = 0;

  constructor(query: Query, clock: DatabaseClock, snapshots?: Snapshots) {
    this.#query = query;
    this.#clock = clock;
    this.#keeper = new SnapshotKeeper(snapshots, () => this.#snapshot());
    this.listeners.add(() => this.#keeper.reached(this.folded.sequence));
  }

  /** Saves a snapshot if enough has happened since the last one. */
  close(): Promise<void> {
    return this.#keeper.close(this.folded.sequence);
  }

  get position(): LogPosition {
    return this.#position;
  }

  onReplaced(listener: (change: HistoryChange) => void): () => void {
    this.#replaced.add(listener);
    return () => this.#replaced.delete(listener);
  }

  /** Called while the history that is about to be replaced is still in memory. */
  onReplacing(listener: () => void): void {
    this.#replacing.add(listener);
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Continues reading on a new connection, before anything else is read on it. */
  async resume(query: Query): Promise<void> {
    if (!this.#isLoaded) {
      await this.#begin(query);
      this.#openedAt = this.head;
      return;
    }
    await this.#follow(query, noLimit).catch((fault: unknown) => {
      if (!(fault instanceof HistoryChanged)) throw fault;
    });
  }

  /** Folds what others wrote, up to `last` if it is given. Throws `HistoryChanged` after a complete refold. */
  async catchUp(last = noLimit): Promise<void> {
    if (this.folded.sequence < last) await this.#follow(this.#query, last);
  }

  /** Folds what this process wrote. Throws the error of a projection, because a caller can receive it here. */
  fold(events: readonly RecordedEvent[]): void {
    this.#reach(events.at(-1));
    for (const event of events) this.folded.apply(event);
  }

  async attach(projections: readonly Projection[]): Promise<void> {
    if (!this.#isLoaded) return this.load(projections);
    const all = this.#hasProjection ? projections : [this.topics, ...projections];
    const { epoch, sequence } = this.#position;
    for await (const events of this.#pages(this.#query, { ...beginning, epoch }, sequence)) {
      for (const event of events) for (const projection of all) projection.apply(event);
    }
    this.#register(all);
  }

  /** Reads the log once, for the versions of the streams and for every projection attached so far. */
  async load(projections: readonly Projection[] = []): Promise<void> {
    if (this.#isLoaded) return;
    if (projections.length > 0) this.#register([this.topics, ...projections]);
    if (projections.length > 0) this.#loadSnapshot();
    try {
      // Without an epoch, no later read would be checked.
      if (this.#position.epoch === null) await this.#begin(this.#query);
      for await (const events of this.#pages(this.#query, this.#position)) {
        this.#foldCommitted(events);
        this.listeners.notify(events.filter(({ sequence }) => sequence > this.#openedAt));
      }
      this.#isLoaded = true;
    } catch (fault) {
      this.folded.reset();
      this.#position = beginning;
      if (fault instanceof PositionMissing) {
        this.#keeper.discard();
        return this.load();
      }
      throw fault;
    }
  }

  /** The first page read after it shows whether the log contains it. */
  #loadSnapshot(): void {
    const snapshot = this.#keeper.read();
    if (!snapshot || !this.folded.load(snapshot)) return;
    const { epoch, sequence, id } = snapshot;
    this.#position = { epoch, sequence, id };
    this.topics.giveUp();
  }

  #snapshot(): Snapshot | null {
    const { epoch, sequence, id } = this.#position;
    const saved = this.#isLoaded ? this.folded.save() : null;
    return saved && epoch !== null && id !== null ? { epoch, sequence, id, ...saved } : null;
  }

  async #begin(query: Query): Promise<void> {
    await query('SELECT signalbox.renew_epoch(NULL)');
    const { epoch, head } = await readPage(query, beginning, 0, this.#clock);
    this.#position = { ...beginning, epoch };
    this.head = head;
  }

  #register(projections: readonly Projection[]): void {
    this.folded.attach(projections, []);
    this.#hasProjection = true;
  }

  async #follow(query: Query, last: number): Promise<void> {
    try {
      for await (const events of this.#pages(query, this.#position, last)) {
        this.#foldCommitted(events);
        this.listeners.notify(events);
      }
    } catch (fault) {
      if (!(fault instanceof PositionMissing)) throw fault;
      await this.rebuild(query);
      throw new HistoryChanged();
    }
  }

  /** The store has another history: the whole log is read first, then memory is replaced in one turn. */
  async rebuild(query = this.#query): Promise<void> {
    const from = this.#position;
    for (;;) {
      try {
        const epoch = await this.#epochAfter(from, query);
        const events: RecordedEvent[] = [];
        for await (const page of this.#pages(query, { ...beginning, epoch })) events.push(...page);
        for (const listener of this.#replacing) listener();
        this.folded.reset();
        this.#position = { ...beginning, epoch };
        this.#foldCommitted(events);
        const { sequence } = this.#position;
        const change = { from: from.epoch ?? '', to: epoch, foldedBefore: from.sequence, foldedNow: sequence };
        for (const listener of this.#replaced) listener(change);
        return;
      } catch (fault) {
        // The history was replaced again while it was read.
        if (!(fault instanceof PositionMissing)) throw fault;
      }
    }
  }

  /** A restored dump has its old epoch: it gets a new one, so that every other host notices. */
  async #epochAfter({ epoch: known }: LogPosition, query: Query): Promise<string> {
    await query('SELECT signalbox.renew_epoch($1)', [known]);
    return (await readPage(query, beginning, 0)).epoch;
  }

  async *#pages(query: Query, from: LogPosition, last = noLimit): AsyncIterable<readonly RecordedEvent[]> {
    const gaps = new GapCheck(from.sequence);
    for (let at = from; at.sequence < last; ) {
      const { epoch, head, events } = await readPage(query, at, last, this.#clock);
      this.head = head;
      for (const event of events) gaps.read(event);
      const end = events.at(-1);
      const isWhole = !end || end.sequence >= Math.min(last, head);
      if (isWhole) gaps.end();
      if (events.length > 0) yield events;
      if (isWhole) return;
      at = { epoch, sequence: end.sequence, id: end.id };
    }
  }

  /** Committed events can no longer be refused: a projection that fails causes a warning. */
  #foldCommitted(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      this.#reach(event);
      try {
        this.folded.apply(event);
      } catch (fault) {
        process.emitWarning(fault instanceof Error ? fault : String(fault));
      }
    }
  }

  #reach(event: RecordedEvent | undefined): void {
    if (event) this.#position = { epoch: this.#position.epoch, sequence: event.sequence, id: event.id };
  }
}

/** A longer log is not kept in memory: reading a history then needs the database. */
const mostEvents = 50_000;

/** The events of each topic in memory, so that a history can be read while the database is away. */
export class TopicCache implements Projection {
  readonly #most: number;
  readonly #topics = new Map<string, RecordedEvent[]>();
  #events = 0;

  constructor(most = mostEvents) {
    this.#most = most;
  }

  apply(event: RecordedEvent): void {
    this.#events += 1;
    if (this.#events > this.#most) {
      this.#topics.clear();
      return;
    }
    const events = this.#topics.get(event.topic);
    if (events) events.push(event);
    else this.#topics.set(event.topic, [event]);
  }

  reset(): void {
    this.#topics.clear();
    this.#events = 0;
  }

  /** Earlier events are unknown here. */
  giveUp(): void {
    this.#topics.clear();
    this.#events = this.#most + 1;
  }

  /** Null if the log is too long to be kept in memory. */
  of(topic: string, after: number): readonly RecordedEvent[] | null {
    if (this.#events > this.#most) return null;
    return (this.#topics.get(topic) ?? []).filter(({ sequence }) => sequence > after);
  }
}
