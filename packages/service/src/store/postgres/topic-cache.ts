import type { Projection, RecordedEvent } from '../../kernel/event-log.ts';

/** A log longer than this is not held: reading a history then needs the database. */
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

  /** What came before is not known here. */
  giveUp(): void {
    this.#topics.clear();
    this.#events = this.#most + 1;
  }

  /** Null where the log is too long to be held. */
  of(topic: string, after: number): readonly RecordedEvent[] | null {
    if (this.#events > this.#most) return null;
    return (this.#topics.get(topic) ?? []).filter(({ sequence }) => sequence > after);
  }
}
