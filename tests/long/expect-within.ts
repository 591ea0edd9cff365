import { expect } from 'vitest';
import { isLong } from '../rounds.ts';

/** Only the whole form fails if it took longer than `mostMs`: the short one runs beside other work, on slow machines too. */
export function expectWithin(mostMs: number, tookMs: number, what: string): void {
  if (isLong) expect.soft(tookMs, what).toBeLessThan(mostMs);
}
