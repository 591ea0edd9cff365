import { expect, test } from 'vitest';
import { stepFor } from './time-span.ts';

test('a grid has a few lines, however long the run', () => {
  for (const ms of [60, 90_000, 86_400_000, 3e14, 1e308]) expect(ms / stepFor(ms)).toBeLessThanOrEqual(10);
  expect([stepFor(60_000), stepFor(86_400_000)]).toEqual([10_000, 14_400_000]);
});
