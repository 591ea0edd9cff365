import { type Clock, iso } from '../kernel/clock.ts';

/** Wall time as it was when the store opened, advanced monotonically: a clock set back cannot lengthen a lease. */
export function storeClock(clock: Clock): () => string {
  const opened = clock.wall() - clock.monotonic();
  return () => iso(Math.floor(opened + clock.monotonic()));
}
