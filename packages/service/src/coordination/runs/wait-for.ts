import type { Clock } from '../../kernel/clock.ts';

const pollMs = 250;

/** Checks on every change and every 250 ms until there is an answer or the timeout ends. */
export async function waitFor<Found>(
  { clock, listen }: { clock: Clock; listen: (listener: () => void) => () => void },
  seconds: number,
  check: () => Promise<Found | undefined>,
): Promise<{ found: Found | undefined; waitedSeconds: number }> {
  const began = clock.monotonic();
  const waited = () => Math.round((clock.monotonic() - began) / 100) / 10;
  const first = await check();
  if (first !== undefined || seconds === 0) return { found: first, waitedSeconds: waited() };
  return new Promise((resolve, reject) => {
    let over = false;
    const end = (found: Found | undefined) => {
      if (over) return;
      over = true;
      for (const stop of stops) stop();
      resolve({ found, waitedSeconds: waited() });
    };
    const again = async () => {
      try {
        const found = await check();
        if (found !== undefined || clock.monotonic() - began >= seconds * 1000) end(found);
      } catch (fault) {
        over = true;
        for (const stop of stops) stop();
        reject(fault);
      }
    };
    const stops = [listen(() => void again()), clock.every(pollMs, again)];
  });
}
