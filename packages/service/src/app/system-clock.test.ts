import { expect, test } from 'vitest';
import { systemClock } from './system-clock.ts';

test('a task due in many years does not run continuously', async () => {
  let early = 0;
  const stop = systemClock.every(365 * 24 * 3_600_000, () => {
    early += 1;
  });
  await new Promise<void>((resolve) => {
    let beats = 0;
    const timer = setInterval(() => {
      if (++beats < 5) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  stop();
  expect(early).toBe(0);
});
