import type { Clock } from '../kernel/clock.ts';
import type { Logger } from './log.ts';

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
