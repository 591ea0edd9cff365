import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import type { SettableClock } from '../../testing/settable-clock.ts';
import { openInMemoryWork } from '../coordination/in-memory-work.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { openCuttingProxy } from '../postgres/cutting-proxy.ts';
import { dump, restoreInPlace } from '../postgres/dump.ts';

/** Receives nothing by itself, so that it has folded only what the test tells it to; its clock can be stopped. */
function quietClock() {
  let stopped: { monotonic: number; boot: number | null; wall: number } | undefined;
  const read = () => ({
    monotonic: systemClock.monotonic(),
    boot: systemClock.boot?.() ?? null,
    wall: systemClock.wall(),
  });
  const clock = {
    ...systemClock,
    every: () => () => undefined,
    monotonic: () => (stopped ?? read()).monotonic,
    boot: () => (stopped ?? read()).boot,
    wall: () => (stopped ?? read()).wall,
  };
  const stop = () => {
    stopped = read();
  };
  return { clock: clock as typeof systemClock, stop };
}

test('a fence issued in lost history is not issued again by a host that was behind', async () => {
  const url = await cloneDatabase();
  await using proxy = await openCuttingProxy();
  const open = async (address = url) => {
    const { clock, stop } = quietClock();
    const log = await openPostgresLog({ url: address, clock });
    return { log, stop, work: await openInMemoryWork({ clock: systemClock as SettableClock, log }) };
  };
  const prompt = await open();
  await prompt.work.call('create_plan', { document: { plan: 'p', nodes: [{ id: 'n' }] } });
  const [first, second] = [await open(), await open(proxy.through(url))];
  const claim = ({ work }: typeof prompt, agent: string) => work.call('claim_node', { plan: 'p', node: 'n', agent });
  second.stop();
  const { fence } = await claim(prompt, 'ada');
  await prompt.work.call('release_node', { plan: 'p', node: 'n', agent: 'ada' });
  await expect.poll(() => second.log.following().sequence).toBe(3);
  const kept = await dump(url);
  // The notification of the next claim arrives too late for the second host.
  proxy.delay(4_000);
  const lost = await claim(first, 'bob');
  await restoreInPlace(url, kept, true);
  proxy.delay(0);
  const given = await claim(second, 'eve');
  expect(lost.fence).toBeGreaterThan(fence);
  expect(given.fence).toBeGreaterThan(lost.fence);
  for (const { log } of [prompt, first, second]) await log.close();
});
