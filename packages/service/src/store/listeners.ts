import type { Recorded } from '../kernel/event-log.ts';

type Listener = (events: readonly Recorded[]) => void;

/** Who wants to hear what became durable. One that throws is warned about and stops nobody else. */
export class Listeners {
  readonly #listeners = new Set<Listener>();

  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(events: readonly Recorded[]): void {
    if (events.length === 0) return;
    for (const listener of this.#listeners) {
      try {
        listener(events);
      } catch (fault) {
        process.emitWarning(fault instanceof Error ? fault : String(fault));
      }
    }
  }
}
