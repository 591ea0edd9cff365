import type { Clock } from '../../kernel/clock.ts';

const lookMs = 250;

/** Looks again whenever something changed, and every quarter of a second, until there is an answer or the time is over. */
export async function waitFor<Found>(
  { clock, listen }: { clock: Clock; listen: (listener: () => void) => () => void },
  seconds: number,
  look: () => Promise<Found | undefined>,
): Promise<{ found: Found | undefined; waitedSeconds: number }> {
  const began = clock.monotonic();
  const waited = () => Math.round((clock.monotonic() - began) / 100) / 10;
  const first = await look();
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
        const found = await look();
        if (found !== undefined || clock.monotonic() - began >= seconds * 1000) end(found);
      } catch (fault) {
        over = true;
        for (const stop of stops) stop();
        reject(fault);
      }
    };
    const stops = [listen(() => void again()), clock.every(lookMs, again)];
  });
}
