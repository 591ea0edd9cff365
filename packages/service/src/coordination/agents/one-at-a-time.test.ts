import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('calls during a run share the one right after it, and never two run at once', async () => {
  const gates: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const { run, settled } = oneAtATime(async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => gates.push(resolve));
    running--;
  });
  const first = run();
  const second = run();
  const third = run();
  expect(second).toBe(third);
  gates[0]?.();
  await first;
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.();
  await settled();
  expect([gates.length, most]).toEqual([2, 1]);
});
