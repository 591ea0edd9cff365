import type { Clock } from '../kernel/clock.ts';
import type { Logger } from './log.ts';

/** What is done again and again and fails once is told and done again: it must never end the process. */
export const steady = (clock: Clock, log: Logger): Clock => ({
  wall: () => clock.wall(),
  monotonic: () => clock.monotonic(),
  every: (ms, work) =>
    clock.every(ms, async () => {
      try {
        await work();
      } catch (err) {
        log.error({ err }, 'something done every so often failed; it is tried again');
      }
    }),
});
