import type { Clock } from '../kernel/clock.ts';
import { platform } from '../platform/platform.ts';
import type { Logger } from './log.ts';

/** The machine's time. Its timers never keep the process alive. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: platform.monotonicClock,
  ...(platform.bootClock && { boot: platform.bootClock }),
  every(ms, work) {
    let busy = false;
    // A timer with a longer delay would fire immediately.
    const longest = 2 ** 31 - 1;
    const timer = setInterval(
      async () => {
        if (busy) return;
        busy = true;
        try {
          await work();
        } finally {
          busy = false;
        }
      },
      Math.min(ms, longest),
    );
    timer.unref();
    return () => clearInterval(timer);
  },
};

/** A clock that logs failures of periodic work and retries it; a failure never ends the process. */
export const steadyClock = (clock: Clock, log: Logger): Clock => ({
  wall: () => clock.wall(),
  monotonic: () => clock.monotonic(),
  ...(clock.boot && { boot: clock.boot }),
  every: (ms, work) =>
    clock.every(ms, async () => {
      try {
        await work();
      } catch (err) {
        log.error({ err }, 'a periodic task failed and will be retried');
      }
    }),
});
