import { setImmediate } from 'node:timers/promises';
import type { TimeBudget } from '../ports.ts';

/** Long work gives way after so many milliseconds; a ping must never wait for it. */
const budgetMs = 6;
/** Reading the clock costs more than most slices. */
const slicesPerClockRead = 16;

export function createTimeBudget(): TimeBudget {
  let since = performance.now();
  let slices = 0;
  return {
    isSpent(weight = 1) {
      slices += weight;
      if (slices < slicesPerClockRead) return false;
      slices = 0;
      return performance.now() - since > budgetMs;
    },
    async pause() {
      await setImmediate();
      since = performance.now();
    },
  };
}
