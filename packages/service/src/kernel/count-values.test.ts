import { expect, test } from 'vitest';
import { valuesIn } from './count-values.ts';

test.each([
  [null, 1],
  ['text', 1],
  [[], 1],
  [[1, 2, 3], 4],
  [{ a: { b: [null, {}] } }, 5],
])('%j has %i values', (value, count) => expect(valuesIn(value, 100)).toBe(count));

test('no more is counted than was asked for', () => {
  expect(valuesIn(Array(1_000).fill(0), 10)).toBe(11);
  expect(valuesIn([[[0, 0, 0], 0], 0], 3)).toBe(4);
});
