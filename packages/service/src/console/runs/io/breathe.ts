import { setImmediate } from 'node:timers/promises';
import type { Breathe } from '../ports.ts';

/** Long work gives way after so many milliseconds; a ping must never wait for it. */
const turnMs = 6;
/** Looking at the clock costs more than most slices. */
const slicesPerLook = 16;

export function createBreathe(): Breathe {
  let since = performance.now();
  let slices = 0;
  return {
    due(weight = 1) {
      slices += weight;
      if (slices < slicesPerLook) return false;
      slices = 0;
      return performance.now() - since > turnMs;
    },
    async pause() {
      await setImmediate();
      since = performance.now();
    },
  };
}
