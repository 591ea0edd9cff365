import { type Clock, iso } from '../kernel/clock.ts';

/** Wall time as it was when the store opened, advanced monotonically, over sleep too: a clock set back cannot lengthen a lease. */
export function storeClock(clock: Clock): () => string {
  const monotonic = clockOverSleep(clock);
  const opened = clock.wall() - monotonic();
  // Asked several times for each call of a flush, mostly within one millisecond.
  let last = { ms: Number.NaN, text: '' };
  return () => {
    const ms = Math.floor(opened + monotonic());
    if (ms !== last.ms) last = { ms, text: iso(ms) };
    return last.text;
  };
}

/** Clocks that differ by less run on: reading one after the other takes time, too. */
const mostApartMs = 5_000;
/** The boot clock costs a system call or more, so it is read when the wall clock jumped, and once in this time. */
const lookEveryMs = 1_000;

/**
 * A monotonic clock that continues while the machine sleeps. Where the boot clock has run ahead of the monotonic one by
 * more than five seconds the machine has slept, and this clock is set forward by as much, never back. Without a boot
 * clock the wall clock stands in for it.
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
