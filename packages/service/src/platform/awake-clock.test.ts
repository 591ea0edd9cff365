import { expect, test } from 'vitest';
import { awakeClock } from './awake-clock.ts';

test('time passes while the clock is read every second, and stops while the machine sleeps', () => {
  let continuous = 1_000;
  const clock = awakeClock(() => continuous);
  const readings = [clock()];
  for (const passed of [1_000, 1_000, 3_600_000, 1_000, 4_000]) {
    continuous += passed;
    readings.push(clock());
  }
  expect(readings).toEqual([1_000, 2_000, 3_000, 3_000, 4_000, 8_000]);
});
