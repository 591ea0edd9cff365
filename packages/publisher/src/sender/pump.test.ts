import { expect, onTestFinished, test, vi } from 'vitest';
import { Pump } from './pump.ts';
import { createQueue } from './queue.ts';

const clientInto = (bodies: string[]) => ({
  post: async (body: string) => {
    bodies.push(body);
    return 202;
  },
});
const beat = { type: 'run_heartbeat', runId: 'r-1', at: '2026-01-01T00:00:00.000Z' } as const;

test('a pump that was woken with an empty queue sends later events', async () => {
  const bodies: string[] = [];
  const queue = createQueue(10);
  const pump = new Pump(queue, clientInto(bodies), () => undefined);
  pump.wake();
  queue.push(beat);
  pump.wake();
  await expect.poll(() => bodies.length).toBe(1);
  queue.push(beat);
  pump.wake();
  await pump.drain();
  expect(bodies).toHaveLength(2);
});

test('a trickle of events is sent in ten requests a second, and a full batch is sent immediately', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const bodies: string[] = [];
  const queue = createQueue(10_000);
  const pump = new Pump(queue, clientInto(bodies), () => undefined);
  for (let ms = 0; ms < 1_000; ms += 5) {
    queue.push(beat);
    pump.wake();
    await vi.advanceTimersByTimeAsync(5);
  }
  expect(bodies).toHaveLength(10);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(queue.size).toBe(0);

  bodies.length = 0;
  for (let n = 0; n < 4_000; n++) queue.push(beat);
  pump.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect([bodies.length, queue.size]).toEqual([20, 0]);
});

test.each([
  ['no longer than necessary by default', 0, 0],
  ['as long as the timeout of the first ping', 60_000, 1],
])('the last events wait %s', async (_, probeMs, sent) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const bodies: string[] = [];
  const slow = async (body: string) => {
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    bodies.push(body);
    return 202;
  };
  const queue = createQueue(10);
  const pump = new Pump(queue, { post: slow }, () => undefined, probeMs);
  queue.push(beat);
  const drained = pump.drain().then(() => bodies.length);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await drained).toBe(sent);
});

test('a batch whose request took the console too long is sent again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const statuses = [408, 202];
  const queue = createQueue(10);
  const pump = new Pump(queue, { post: async () => statuses.shift() ?? 202 }, () => undefined);
  queue.push(beat);
  pump.wake();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(statuses).toEqual([]);
});
