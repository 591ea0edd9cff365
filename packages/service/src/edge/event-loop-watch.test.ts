import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { EventLoopWatch } from './event-loop-watch.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const watch = new EventLoopWatch(() => []);
let stop = () => {};
afterEach(() => stop());

const computedMs = () => {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
};

/** Computes for so long at a stretch, however little of the processor it is given. */
function hold(ms: number, work: () => void): void {
  for (const until = computedMs() + ms; computedMs() < until; ) work();
}

test('a stretch of computing is told with the requests that were under way and without garbage collection it did not have', () => {
  stop = watch.start();
  const end = watch.begin('GET /slow');
  hold(60, () => undefined);
  const { busiest } = watch.read();
  end();
  expect(busiest.during).toEqual(['GET /slow']);
  expect(busiest.busySeconds).toBeGreaterThan(0.02);
  expect(busiest.gcSeconds).toBeLessThan(busiest.busySeconds / 2);
});

test('how much of a stretch was garbage collection is told, also when that is heard of only after it', async () => {
  stop = watch.start();
  hold(60, collectGarbage);
  await vi.waitFor(() => {
    const { longest, busiest } = watch.read();
    expect(longest.seconds).toBeGreaterThan(0.02);
    expect(busiest.gcSeconds).toBeGreaterThan(0.02);
    expect(busiest.gcSeconds).toBeLessThanOrEqual((busiest.to - busiest.from) / 1000 + 0.001);
  });
});

test('what the host took of the processor meanwhile is not counted as computing', () => {
  let taken = 1_000;
  const robbed = new EventLoopWatch(() => [taken, 500]);
  stop = robbed.start();
  hold(60, () => undefined);
  taken += 50;
  const { longest, busiest } = robbed.read();
  expect(longest.seconds).toBeGreaterThan(0.02);
  expect(busiest.busySeconds).toBeLessThan(longest.seconds + 0.02 - 0.045);
});
