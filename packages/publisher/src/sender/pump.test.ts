import { expect, test } from 'vitest';
import type { ConsoleClient } from './console-client.ts';
import { Pump } from './pump.ts';
import { createQueue } from './queue.ts';

const clientInto = (bodies: string[]): ConsoleClient => ({
  ping: async () => true,
  expected: async () => new Map(),
  post: async (body) => {
    bodies.push(body);
    return 202;
  },
});
const beat = { type: 'run_heartbeat', runId: 'r-1', at: '2026-01-01T00:00:00.000Z' } as const;

test('a pump that was woken with nothing to send sends what comes later', async () => {
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
