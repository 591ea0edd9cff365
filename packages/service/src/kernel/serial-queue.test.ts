import { expect, test } from 'vitest';
import { SerialQueue } from './serial-queue.ts';

test('jobs run one after the other in the order they were given, and a failed one stops nobody', async () => {
  const queue = new SerialQueue();
  const order: string[] = [];
  const job = (name: string, turns: number) => async () => {
    order.push(`${name} begins`);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    order.push(`${name} ends`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const answers = await Promise.allSettled([queue.run(job('a', 9)), queue.run(job('b', 3)), queue.run(job('c', 0))]);
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
