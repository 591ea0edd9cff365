import { expect, test } from 'vitest';
import { tokenText } from './token-text.ts';

test('tokens read short, with their kinds', () => {
  expect(tokenText({ input: 0, cached: 999, output: 1_000 })).toBe('0 in, 999 cached, 1.0 k out');
  expect(tokenText({ input: 12_400, cached: 310_200, output: 999_600 })).toBe('12.4 k in, 310 k cached, 1.0 M out');
});
