import { expect, onTestFinished, test, vi } from 'vitest';
import { createTimeBudget } from './cooperative.ts';

const unknownSize = 16;

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Counts the turns of the loop until it is stopped. */
function turns() {
  let count = 0;
  let next = setImmediate(turn);
  function turn() {
    count += 1;
    next = setImmediate(turn);
  }
  return { count: () => count, stop: () => clearImmediate(next) };
}

async function work(slices: number, slice: () => void): Promise<void> {
  const budget = createTimeBudget();
  for (let at = 0; at < slices; at += 1) {
    slice();
    if (budget.isSpent(unknownSize)) await budget.pause();
  }
}

test('fifty pieces of long work at once take no more of a turn than one does', async () => {
  const turn = turns();
  const slicesInTurn = new Map<number, number>();
  const slice = () => {
    busyFor(1);
    slicesInTurn.set(turn.count(), (slicesInTurn.get(turn.count()) ?? 0) + 1);
  };
  await Promise.all(Array.from({ length: 50 }, () => work(10, slice)));
  turn.stop();
  const counts = [...slicesInTurn.values()];
  expect(counts.reduce((sum, count) => sum + count)).toBe(500);
  // Two turns of the work may count as one here, and the first slice of each of the fifty runs without asking.
  expect(Math.max(...counts.slice(1))).toBeLessThanOrEqual(16);
  expect(counts[0]).toBeLessThanOrEqual(60);
});

test('the task that paused first continues first, so that none starves', async () => {
  const order: number[] = [];
  const slice = (one: number) => {
    order.push(one);
    busyFor(8);
  };
  await Promise.all([0, 1, 2].map((one) => work(3, () => slice(one))));
  expect(order).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
});

test('short work of many goes on in the same turn', async () => {
  // Work that takes no time, however busy the machine is.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
  const budget = createTimeBudget();
  const turn = turns();
  await Promise.all(Array.from({ length: 200 }, () => budget.pause()));
  turn.stop();
  expect(turn.count()).toBeLessThanOrEqual(2);
});
