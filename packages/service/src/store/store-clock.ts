import { type Clock, iso } from '../kernel/clock.ts';
import { clockOverSleep } from '../kernel/clock-over-sleep.ts';

/** Wall time as it was when the store opened, advanced monotonically, over sleep too: a clock set back cannot lengthen a lease. */
export function storeClock(clock: Clock): () => string {
  const monotonic = clockOverSleep(clock);
  const opened = clock.wall() - monotonic();
  return () => iso(Math.floor(opened + monotonic()));
}
