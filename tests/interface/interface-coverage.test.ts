import { expect, test } from 'vitest';
import { interfaceChecks } from './checks.ts';
import { sentences } from './sentences.ts';

test('every sentence of the interface document that can be checked is checked here, by its number', () => {
  const numbers = interfaceChecks().flatMap((check) => check.numbers);
  const known = Object.keys(sentences);
  expect(numbers.filter((number) => !known.includes(number))).toEqual([]);
  expect(known.filter((number) => !numbers.includes(number))).toEqual([]);
});
