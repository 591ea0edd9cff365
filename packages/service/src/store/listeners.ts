import type { RecordedEvent } from '../kernel/event-log.ts';

type Listener = (events: readonly RecordedEvent[]) => void;

/** Calls every listener with committed events. A listener that throws causes a warning and does not stop the others. */
export class CommitListeners {
  readonly #listeners = new Set<Listener>();

  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(events: readonly RecordedEvent[]): void {
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
