import type { Message } from '../browser/messages.ts';
import type { Listen } from './claim-watch.ts';
import type { Later } from './later.ts';

type Asking<Found> = {
  ask: () => Promise<Found | undefined>;
  /** Called when nothing was found. */
  onIdle: () => void;
  /** The time after which something may be found even without a change; undefined if unknown. */
  waitMs: () => number | undefined;
};

/** Changes within this time cause one query. */
const settleMs = 20;
/** Polling interval for when no message can arrive, such as behind a buffering proxy. */
const unheardMs = 30_000;

/**
 * Waits for work without polling: the hub reports changes of plans and claims. Only one waiter queries at a time; after
 * it has found work, the next one queries.
 */
export class IdleWait {
  readonly #listen: Listen;
  readonly #later: Later;
  #listening: { off(): void; ready: Promise<void> } | undefined;
  #changes = 0;
  #waiting = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #wake: () => void = () => undefined;
  #isEnded = false;

  constructor(listen: Listen, later: Later) {
    this.#listen = listen;
    this.#later = later;
  }

  /** The first result of `ask`; undefined if the wait was ended. */
  async found<Found>(asking: Asking<Found>): Promise<Found | undefined> {
    this.#waiting += 1;
    try {
      const mine = this.#turn.then(() => this.#askUntilFound(asking));
      this.#turn = mine.catch(() => undefined);
      return await mine;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#stopListening();
    }
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
    this.#stopListening();
  }

  async #askUntilFound<Found>({ ask, onIdle, waitMs }: Asking<Found>): Promise<Found | undefined> {
    while (!this.#isEnded) {
      await this.#startListening();
      const seen = this.#changes;
      const found = await ask();
      if (found !== undefined || this.#isEnded) return found;
      onIdle();
      if (seen === this.#changes) await this.#nextChange(Math.min(unheardMs, waitMs() ?? unheardMs));
      await this.#nextChange(settleMs, false);
    }
    return undefined;
  }

  /** Settles after a change or after the given time. */
  #nextChange(ms: number, wakes = true): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isEnded) return resolve();
      const cancel = this.#later(resolve, ms);
      this.#wake = () => {
        if (!wakes && !this.#isEnded) return;
        cancel();
        resolve();
      };
    });
  }

  #startListening(): Promise<void> {
    this.#listening ??= this.#listen(['plan_changed', 'claim_changed'], (message) => this.#note(message));
    return this.#listening.ready;
  }

  #stopListening(): void {
    this.#listening?.off();
    this.#listening = undefined;
  }

  /** A new or renewed claim never creates ready work. */
  #note(message: Message): void {
    if (message.type === 'claim_changed' && message.data.claim !== null) return;
    this.#changes += 1;
    this.#wake();
  }
}
