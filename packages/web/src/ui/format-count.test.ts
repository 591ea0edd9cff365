import { expect, test } from 'vitest';
import { countWithNoun, formatCount } from './format-count.ts';
import { formatDuration } from './time.tsx';

test('a count is told in full as long as it fits, and never as more than a word', () => {
  expect([0, 7_842, 9_999_999].map(formatCount)).toEqual(['0', '7,842', '9,999,999']);
  expect([12_345_678_901, 1e308].map(formatCount)).toEqual(['12.3B', '1e+308']);
});

test('one is one', () => {
  expect([0, 1, 2].map((count) => countWithNoun(count, 'run'))).toEqual(['0 runs', '1 run', '2 runs']);
});

test('no time is too long to be told in a few letters', () => {
  expect(formatDuration(90_061_000)).toBe('25 h 1 min');
  expect(formatDuration(1e20)).toBe('27.8T h');
});
