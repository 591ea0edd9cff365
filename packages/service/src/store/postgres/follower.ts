import type { Projection, RecordedEvent } from '../../kernel/event-log.ts';
import { FoldedState } from '../folded-state.ts';
import { CommitListeners } from '../listeners.ts';
import type { DatabaseConnection } from './database-connection.ts';
import { type EventRow, recorded, selectEvents } from './event-rows.ts';
import { TopicCache } from './topic-cache.ts';

const pageSize = 500;

/** Folds the log into memory in order, whichever host wrote it. Runs in the serial queue only. */
export class LogFollower {
  readonly folded = new FoldedState();
  readonly listeners = new CommitListeners();
  readonly topics = new TopicCache();
  readonly #connection: DatabaseConnection;
  #lastId = '';
  #hasProjection = false;

  constructor(connection: DatabaseConnection) {
    this.#connection = connection;
  }

  /** Takes the positions alone; projections replay for themselves when they are attached. */
  async begin(): Promise<void> {
    const rows = await this.#connection.query<{ stream: string; version: number }>(
      'SELECT stream, max(version) AS version FROM signalbox.events GROUP BY stream',
    );
    this.folded.open({ versions: () => rows.map(({ stream, version }) => [stream, version] as const) });
    this.#lastId = await this.#idAt(this.folded.sequence);
  }

  /** Takes up the log on a new connection. One that does not hold what was folded was restored: it is folded anew. */
  async resume(): Promise<void> {
    if ((await this.#idAt(this.folded.sequence)) === this.#lastId) return this.catchUp();
    this.folded.reset();
    for await (const events of this.#pages(0)) this.#foldCommitted(events);
  }

  /** Folds what others wrote, up to `last` where that is given. */
  async catchUp(last?: number): Promise<void> {
    for await (const events of this.#pages(this.folded.sequence, last)) {
      this.#foldCommitted(events);
      this.listeners.notify(events);
    }
  }

  /** Folds what this process wrote; throws what a projection threw, since the caller can be told. */
  fold(events: readonly RecordedEvent[]): void {
    this.#lastId = events.at(-1)?.id ?? this.#lastId;
    for (const event of events) this.folded.apply(event);
  }

  async attach(projection: Projection): Promise<void> {
    for await (const events of this.#pages(0, this.folded.sequence)) {
      for (const event of events) {
        projection.apply(event);
        if (!this.#hasProjection) this.topics.apply(event);
      }
    }
    this.folded.attach(projection, []);
    // The topic cache is filled with the first projection, so that the log is not read twice.
    if (!this.#hasProjection) this.folded.attach(this.topics, []);
    this.#hasProjection = true;
  }

  async #idAt(sequence: number): Promise<string> {
    const [row] = await this.#connection.query<{ id: string }>('SELECT id FROM signalbox.events WHERE sequence = $1', [
      sequence,
    ]);
    return row?.id ?? '';
  }

  async *#pages(after: number, last = Number.MAX_SAFE_INTEGER): AsyncIterable<readonly RecordedEvent[]> {
    const sql = `${selectEvents} WHERE sequence > $1 AND sequence <= $2 ORDER BY sequence LIMIT ${pageSize}`;
    for (let from = after; from < last; ) {
      const events = (await this.#connection.query<EventRow>(sql, [from, last])).map(recorded);
      if (events.length > 0) yield events;
      if (events.length < pageSize) return;
      from = events.at(-1)?.sequence ?? last;
    }
  }

  /** Committed events cannot be refused, so a projection that fails on one only causes a warning. */
  #foldCommitted(events: readonly RecordedEvent[]): void {
    for (const event of events) {
      this.#lastId = event.id;
      try {
        this.folded.apply(event);
      } catch (fault) {
        process.emitWarning(fault instanceof Error ? fault : String(fault));
      }
    }
  }
}
