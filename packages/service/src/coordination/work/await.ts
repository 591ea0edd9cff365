import type { WorkContext } from './context.ts';

/** Looks again after each commit until `look` finds something or the time is up; never in between. */
export function waitUntil<Found>(
  { log, clock }: WorkContext,
  timeoutSeconds: number,
  look: () => Found | undefined,
): Promise<{ found: Found | undefined; waitedSeconds: number }> {
  const began = clock.monotonic();
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = [];
    const settle = (found: Found | undefined) => {
      for (const stop of stops) stop();
      resolve({ found, waitedSeconds: Math.round((clock.monotonic() - began) / 100) / 10 });
    };
    const glance = () => {
      try {
        const found = look();
        if (found !== undefined) settle(found);
        return found !== undefined;
      } catch (error) {
        for (const stop of stops) stop();
        reject(error);
        return true;
      }
    };
    if (glance()) return;
    if (timeoutSeconds <= 0) {
      settle(undefined);
      return;
    }
    stops.push(log.onCommitted(glance));
    stops.push(clock.every(timeoutSeconds * 1000, () => settle(look())));
  });
}
