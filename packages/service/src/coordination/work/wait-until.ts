import type { WorkContext } from './work-context.ts';

/** Checks again after each commit until something is found or the timeout ends. It does not poll in between. */
export function waitUntil<Found>(
  { log, clock }: WorkContext,
  timeoutSeconds: number,
  check: () => Found | undefined,
): Promise<{ found: Found | undefined; waitedSeconds: number }> {
  const began = clock.monotonic();
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = [];
    const settle = (found: Found | undefined) => {
      for (const stop of stops) stop();
      resolve({ found, waitedSeconds: Math.round((clock.monotonic() - began) / 100) / 10 });
    };
    const checkNow = () => {
      try {
        const found = check();
        if (found !== undefined) settle(found);
        return found !== undefined;
      } catch (error) {
        for (const stop of stops) stop();
        reject(error);
        return true;
      }
    };
    if (checkNow()) return;
    if (timeoutSeconds <= 0) {
      settle(undefined);
      return;
    }
    stops.push(log.onCommitted(checkNow));
    stops.push(clock.every(timeoutSeconds * 1000, () => settle(check())));
  });
}
