import { amountOf } from '../figures.ts';
import { visible } from '../table.ts';

/** The events that the console rejected although it took their batch: such a run lacks them. */
export class RejectedEvents {
  #count = 0;
  #why: string | null = null;

  note(rejected: readonly { message: string }[]): void {
    const [first] = rejected;
    if (first) this.#why ??= visible(first.message);
    this.#count += rejected.length;
  }

  /** Why the first was rejected; null if none was. */
  get why(): string | null {
    return this.#why;
  }

  get line(): string {
    return `The run console rejected ${amountOf(this.#count, 'event')}, so the run is incomplete: ${this.#why}`;
  }
}
