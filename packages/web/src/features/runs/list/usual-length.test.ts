import { expect, test } from 'vitest';
import { slowerThanUsual } from './usual-length.ts';

test('a run is slower than usual from half as long again on, by a second at least', () => {
  expect(slowerThanUsual(9_000, 6_000)).toBe('3.00 s over its usual 6.00 s');
  expect(slowerThanUsual(8_900, 6_000)).toBeNull();
  expect(slowerThanUsual(900, 300)).toBeNull();
});

test('where either length is unknown nothing is said', () => {
  expect(slowerThanUsual(null, 6_000)).toBeNull();
  expect(slowerThanUsual(9_000, null)).toBeNull();
});
