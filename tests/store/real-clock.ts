import type { Clock } from '../../packages/service/src/kernel/clock.ts';

export const realClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  every(ms, work) {
    const timer = setInterval(work, ms);
    return () => clearInterval(timer);
  },
};
