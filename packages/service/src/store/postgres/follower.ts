import type { Projection, Recorded } from '../../kernel/event-log.ts';
import { Folded } from '../folded.ts';
import { Listeners } from '../listeners.ts';
import type { Connection } from './connection.ts';
import { type EventRow, recorded, selectEvents } from './rows.ts';
import { Stories } from './stories.ts';

const pageSize = 500;

/** Folds the log into memory, whoever wrote it, in order. Runs in the lane only. */
export class Follower {
  readonly folded = new Folded();
  readonly listeners = new Listeners();
  readonly stories = new Stories();
  readonly #connection: Connection;
  #lastId = '';
  #attached = false;

  constructor(connection: Connection) {
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
    for await (const events of this.#pages(0)) this.#take(events);
  }

  /** Folds what others wrote, up to `last` where that is given. */
  async catchUp(last?: number): Promise<void> {
    for await (const events of this.#pages(this.folded.sequence, last)) {
      this.#take(events);
      this.listeners.tell(events);
    }
  }

  /** Folds what this process wrote; throws what a projection threw, since the caller can be told. */
  fold(events: readonly Recorded[]): void {
    this.#lastId = events.at(-1)?.id ?? this.#lastId;
    for (const event of events) this.folded.apply(event);
  }

  async attach(projection: Projection): Promise<void> {
    for await (const events of this.#pages(0, this.folded.sequence)) {
      for (const event of events) {
        projection.apply(event);
        if (!this.#attached) this.stories.apply(event);
      }
    }
    this.folded.attach(projection, []);
    // The stories come with the first projection: the log is not read once more for them.
    if (!this.#attached) this.folded.attach(this.stories, []);
    this.#attached = true;
  }

  async #idAt(sequence: number): Promise<string> {
    const [row] = await this.#connection.query<{ id: string }>('SELECT id FROM signalbox.events WHERE sequence = $1', [
      sequence,
    ]);
    return row?.id ?? '';
  }

  async *#pages(after: number, last = Number.MAX_SAFE_INTEGER): AsyncIterable<readonly Recorded[]> {
    const sql = `${selectEvents} WHERE sequence > $1 AND sequence <= $2 ORDER BY sequence LIMIT ${pageSize}`;
    for (let from = after; from < last; ) {
      const events = (await this.#connection.query<EventRow>(sql, [from, last])).map(recorded);
      if (events.length > 0) yield events;
      if (events.length < pageSize) return;
      from = events.at(-1)?.sequence ?? last;
    }
  }

  /** What is in the log cannot be refused any more: a projection that fails on it is warned about. */
  #take(events: readonly Recorded[]): void {
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
