import type { Clock } from '../kernel/clock.ts';

const limit = { failures: 10, withinMs: 60_000 };
/** At most this many are tracked; the oldest are forgotten first. */
const mostRemembered = 10_000;

/** Counts wrong tokens by the address they came from and by the token itself, which may come from many. */
export class FailedTries {
  readonly #clock: Clock;
  readonly #failures = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Seconds to wait after too many failures; undefined if the caller may try. */
  add(address: string, tokenHash: string): number | undefined {
    const now = this.#clock.monotonic();
    const counts = [`address ${address}`, `token ${tokenHash}`].map((key) => this.#add(key, now));
    return Math.max(...counts) > limit.failures ? limit.withinMs / 1000 : undefined;
  }

  #add(key: string, now: number): number {
    const recent = (this.#failures.get(key) ?? []).filter((at) => at > now - limit.withinMs).slice(-limit.failures);
    this.#failures.delete(key);
    this.#failures.set(key, [...recent, now]);
    const [oldest = key] = this.#failures.keys();
    if (this.#failures.size > mostRemembered) this.#failures.delete(oldest);
    return recent.length + 1;
  }
}
