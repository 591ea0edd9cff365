import { errorMessage } from '../kernel/error-code.ts';
import type { RecordedEvent } from '../kernel/event-log.ts';
import { DamagedStore, isIntact } from './event-checksum.ts';
import { GapCheck } from './moved-events.ts';
import { type RawEvent, recordedEvent } from './raw-event.ts';

type Pages = Iterable<readonly RawEvent[]> | AsyncIterable<readonly RawEvent[]>;

/** Checks every event against its checksum, and finds unexplained gaps. */
export class LogCheck {
  readonly #gaps = new GapCheck(0);
  #events = 0;
  #sequence = 0;
  #damage: string | null = null;

  /** Null for an event that cannot be read. */
  read(raw: RawEvent): RecordedEvent | null {
    this.#events += 1;
    this.#sequence = raw.sequence;
    const event = readable(raw);
    if (!event || !isIntact(raw.id, event, raw.data))
      this.#damage ??= `event ${raw.sequence} differs from what was written`;
    if (event) this.#gaps.read(event);
    return event;
  }

  /** Passes pages on while it reads them. */
  async *through(pages: Pages): AsyncIterable<readonly RawEvent[]> {
    for await (const page of pages) {
      for (const raw of page) this.read(raw);
      yield page;
    }
  }

  /** Everything was read. */
  end(): { events: number; sequence: number; damage: string | null } {
    if (this.#damage === null) {
      try {
        this.#gaps.end();
      } catch (fault) {
        this.#damage = fault instanceof DamagedStore ? fault.damage : errorMessage(fault);
      }
    }
    return { events: this.#events, sequence: this.#sequence, damage: this.#damage };
  }
}

function readable(raw: RawEvent): RecordedEvent | null {
  try {
    return recordedEvent(raw);
  } catch {
    return null;
  }
}
