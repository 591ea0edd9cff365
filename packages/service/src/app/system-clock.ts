import { platform, uptime } from 'node:os';
import type { Clock } from '../kernel/clock.ts';

/** On macOS and Windows the monotonic clock counts sleep itself; on Linux the time since boot does. */
const bootClocks: Partial<Record<NodeJS.Platform, () => number>> = {
  darwin: () => performance.now(),
  win32: () => performance.now(),
  linux: () => uptime() * 1000,
};
const boot = bootClocks[platform()];

/** The machine's time. Its timers never keep the process alive. */
export const systemClock: Clock = {
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  ...(boot && { boot }),
  every(ms, work) {
    let busy = false;
    // A timer that is asked to wait longer does not wait at all.
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
