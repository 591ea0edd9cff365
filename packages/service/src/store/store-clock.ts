import { type Clock, iso } from '../kernel/clock.ts';

/** Wall time at the opening of the store, advanced monotonically, also during sleep: setting the clock back cannot lengthen a lease. */
export function storeClock(clock: Clock): () => string {
  const monotonic = clockOverSleep(clock);
  const opened = clock.wall() - monotonic();
  // The time is read several times for each call of a flush, mostly within one millisecond.
  let last = { ms: Number.NaN, text: '' };
  return () => {
    const ms = Math.floor(opened + monotonic());
    if (ms !== last.ms) last = { ms, text: iso(ms) };
    return last.text;
  };
}

/** Smaller differences between clocks are ignored, because reading one after the other also takes time. */
const mostApartMs = 5_000;
/** The boot clock costs at least one system call, so it is read only after a jump of the wall clock, and otherwise once in this time. */
const lookEveryMs = 1_000;

/**
 * A monotonic clock that continues while the machine sleeps. If the boot clock is more than five seconds ahead of the
 * monotonic one, the machine has slept, and this clock is set forward by the difference, never back. Without a boot
 * clock the wall clock is used instead.
 */
export function clockOverSleep(clock: Pick<Clock, 'wall' | 'monotonic' | 'boot'>): () => number {
  const reference = () => clock.boot?.() ?? clock.wall();
  let slept = 0;
  let apart = reference() - clock.monotonic();
  let wallApart = clock.wall() - clock.monotonic();
  let lookedAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    const wallNow = clock.wall() - now;
    if (now - lookedAt >= lookEveryMs || Math.abs(wallNow - wallApart) > lookEveryMs) {
      lookedAt = now;
      wallApart = wallNow;
      const ahead = reference() - now - apart;
      if (ahead > mostApartMs) {
        slept += ahead;
        apart += ahead;
      }
    }
    return now + slept;
  };
}
