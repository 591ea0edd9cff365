import { expect, test } from 'vitest';
import { coalesced, SerialQueue } from './one-at-a-time.ts';

test('jobs run one after the other in the order they were given, and a failed job does not stop the next', async () => {
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

test('calls during a run share the one right after it, and never two run at once', async () => {
  const gates: (() => void)[] = [];
  let running = 0;
  let most = 0;
  const { run, settled } = coalesced(async () => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => gates.push(resolve));
    running--;
  });
  const first = run();
  const second = run();
  const third = run();
  expect(second).toBe(third);
  gates[0]?.();
  await first;
  await expect.poll(() => gates.length).toBe(2);
  gates[1]?.();
  await settled();
  expect([gates.length, most]).toEqual([2, 1]);
});

test('a failing run rejects for its callers and does not block the next', async () => {
  let runs = 0;
  const { run, settled } = coalesced(async () => {
    runs++;
    await Promise.resolve();
    if (runs === 1) throw new Error('the disk is full');
  });
  const first = run();
  const second = run();
  await expect(first).rejects.toThrow('the disk is full');
  await second;
  await run();
  await settled();
  expect(runs).toBe(3);
});

test('a call between a run and the one right after it shares the second', async () => {
  const counts = { running: 0, most: 0, runs: 0 };
  const callInEveryMoment = async () => {
    for (let moment = 0; moment < 20; moment += 1) {
      await Promise.resolve();
      void run();
    }
  };
  const { run, settled } = coalesced(async () => {
    counts.runs += 1;
    counts.most = Math.max(counts.most, ++counts.running);
    await new Promise((resolve) => setImmediate(resolve));
    counts.running -= 1;
    if (counts.runs === 1) void callInEveryMoment();
  });
  const first = run();
  void run();
  await first;
  await settled();
  await settled();
  expect(counts).toEqual({ running: 0, most: 1, runs: 3 });
});
