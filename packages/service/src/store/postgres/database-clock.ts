import { type Clock, iso } from '../../kernel/clock.ts';
import { clockOverSleep } from '../clock-over-sleep.ts';

/**
 * The database's time between two words from it: what it last said, advanced monotonically. It is never ahead of the
 * database, because what was said is taken as said when it was heard. The append itself refuses a decision whose time is
 * ahead of the database's or seconds behind, so a lease ends by the database's clock whatever this one thinks.
 */
export class DatabaseClock {
  readonly #monotonic: () => number;
  #offset = 0;
  #isSet = false;

  constructor(machine: Pick<Clock, 'wall' | 'monotonic' | 'boot'>) {
    this.#monotonic = clockOverSleep(machine);
  }

  /** The moment of asking, to be passed to `setFrom`. */
  askedAt(): number {
    return this.#monotonic();
  }

  /** The database said `at`, somewhere between being asked and now. */
  setFrom(at: Date, asked: number): void {
    const least = at.getTime() - this.#monotonic();
    // What it says is cut to the millisecond.
    const most = at.getTime() + 1 - asked;
    if (!this.#isSet || this.#offset < least || this.#offset > most) this.#offset = least;
    this.#isSet = true;
  }

  now(): string {
    return iso(Math.floor(this.#offset + this.#monotonic()));
  }
}
