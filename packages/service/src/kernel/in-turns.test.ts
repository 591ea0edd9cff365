import { expect, test } from 'vitest';
import { atOnce, createInTurns, eachOf, type Steps } from './in-turns.ts';

function* doubled(): Steps<string> {
  const numbers = yield* eachOf([1, 2, 3], (number) => number * 2);
  yield;
  return numbers.join();
}

test('others have their turn after each step for which there is to be one, and the result is the same', async () => {
  const turns = [Promise.resolve(), undefined, Promise.resolve(), undefined];
  const inTurns = createInTurns(() => turns.shift());
  expect(await inTurns(doubled())).toBe('2,4,6');
  expect(turns).toEqual([]);
  expect(atOnce(doubled())).toBe('2,4,6');
});

test('a fault of a step is that of the whole', async () => {
  const steps = () => eachOf([1], () => JSON.parse('no JSON'));
  await expect(createInTurns(() => undefined)(steps())).rejects.toThrow(SyntaxError);
  expect(() => atOnce(steps())).toThrow(SyntaxError);
});
