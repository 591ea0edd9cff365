import type { Clock } from '../kernel/clock.ts';

/** The machine's time. Its timers never keep the process alive. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  every(ms, work) {
    let busy = false;
    const timer = setInterval(async () => {
      if (busy) return;
      busy = true;
      try {
        await work();
      } finally {
        busy = false;
      }
    }, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
