import { type Clock, iso } from '../../kernel/clock.ts';
import { clockOverSleep } from '../store-clock.ts';

export const lookMs = 500;
const silentForMs = 2_000;
const sleptForMs = 15_000;

/**
 * The database's time between two of its answers: its last time, advanced monotonically. It is never ahead of the
 * database, because a time counts from its arrival here. The append itself refuses a decision whose time is ahead of
 * the database's, or seconds behind, so the database's clock alone decides when a lease ends.
 */
export class DatabaseClock {
  readonly #monotonic: () => number;
  readonly #wall: () => number;
  #offset = 0;
  #isSet = false;
  #heardAt = 0;
  #heard = 0;
  #looks = 0;

  constructor(machine: Pick<Clock, 'wall' | 'monotonic' | 'boot'>) {
    this.#monotonic = clockOverSleep(machine);
    this.#wall = () => machine.wall();
  }

  /** The moment of the question, to be passed to `setFrom`. */
  askedAt(): number {
    return this.#monotonic();
  }

  /** The database's clock showed `at` at some moment between the question and now. */
  setFrom(at: Date, asked: number): void {
    const least = at.getTime() - this.#monotonic();
    // Its time is truncated to the millisecond.
    const most = at.getTime() + 1 - asked;
    if (!this.#isSet || this.#offset < least || this.#offset > most) this.#offset = least;
    this.#isSet = true;
    this.#heardAt = this.#monotonic();
    this.#heard = at.getTime();
    this.#looks = 0;
  }

  now(): string {
    return iso(this.ms());
  }

  ms(): number {
    return Math.floor(this.#offset + this.#monotonic());
  }

  /** When the database last answered, by its own clock. */
  heardAt(): string {
    return iso(this.#heard);
  }

  /** Called every `lookMs`, so that time in which this process itself stood still does not count as silence. */
  look(): void {
    this.#looks += 1;
  }

  /** Whether the database missed two heartbeats, or this machine slept and has received no answer since. */
  isSilent(): boolean {
    return this.#looks * lookMs > silentForMs || this.#monotonic() - this.#heardAt > sleptForMs;
  }

  /** How far the clock of this machine is ahead of the database's. The error is at most the duration of a query. */
  machineAheadMs(): number {
    return Math.round(this.#wall() - this.ms());
  }
}
