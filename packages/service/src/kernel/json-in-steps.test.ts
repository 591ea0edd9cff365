import { expect, test } from 'vitest';
import { jsonInSteps } from './json-in-steps.ts';

test('a long list is written out one item a step, and reads as if it was written at once', () => {
  const object = { name: 'm', slices: Array.from({ length: 1_000 }, (_, at) => ({ at })), none: undefined };
  const steps = jsonInSteps(object);
  let taken = 0;
  let last = steps.next();
  for (; !last.done; last = steps.next()) taken += 1;
  expect(taken).toBeGreaterThanOrEqual(1_000);
  expect(last.value).toBe(JSON.stringify(object));
});
