import { expect, test } from 'vitest';
import { createRunTask, jsonInSteps, mapInSteps, runNow, type Task } from './task.ts';

function* doubled(): Task<string> {
  const numbers = yield* mapInSteps([1, 2, 3], (number) => number * 2);
  yield;
  return numbers.join();
}

test('others have their turn after each step for which there is to be one, and the result is the same', async () => {
  const turns = [Promise.resolve(), undefined, Promise.resolve(), undefined];
  const runTask = createRunTask(() => turns.shift());
  expect(await runTask(doubled())).toBe('2,4,6');
  expect(turns).toEqual([]);
  expect(runNow(doubled())).toBe('2,4,6');
});

test('a fault of a step is that of the whole', async () => {
  const steps = () => mapInSteps([1], () => JSON.parse('no JSON'));
  await expect(createRunTask(() => undefined)(steps())).rejects.toThrow(SyntaxError);
  expect(() => runNow(steps())).toThrow(SyntaxError);
});

test('a long list is written out one item a step, and reads as if it was written at once', () => {
  const object = { name: 'm', slices: Array.from({ length: 1_000 }, (_, at) => ({ at })), none: undefined };
  const steps = jsonInSteps(object);
  let taken = 0;
  let last = steps.next();
  for (; !last.done; last = steps.next()) taken += 1;
  expect(taken).toBeGreaterThanOrEqual(1_000);
  expect(last.value).toBe(JSON.stringify(object));
});
