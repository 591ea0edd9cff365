import { type Clock, iso } from '../kernel/clock.ts';
import { clockOverSleep } from './clock-over-sleep.ts';

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
