import { expect, test } from 'vitest';
import { noteExpired } from '../../packages/service/src/coordination/work/expiry.ts';
import { createWorkAnnouncer } from '../../packages/service/src/coordination/work/work-announcer.ts';
import type { Clock } from '../../packages/service/src/kernel/clock.ts';
import type { Announcement } from '../../packages/service/src/kernel/messages.ts';
import { createMemoryLog } from '../../testing/memory-log.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { openInMemoryWork } from './in-memory-work.ts';

const signOff = { kind: 'signOff' };
const shop = { plan: 'shop', nodes: [{ id: 'a', binding: signOff }, { id: 'b', dependsOn: ['a'] }, { id: 'far' }] };
const other = { plan: 'other', nodes: [{ id: 'x', dependsOn: ['shop/a'] }, { id: 'y' }] };
const a = { plan: 'shop', node: 'a' };

async function listening() {
  const stage = await openInMemoryWork();
  await stage.call('create_plan', { document: shop });
  await stage.call('create_plan', { document: other });
  const tell = createWorkAnnouncer(stage.ctx);
  const told: Announcement[] = [];
  stage.log.onCommitted((events) => told.push(...tell(events)));
  return { ...stage, told };
}

test('evidence of one node is announced for every plan with affected nodes', async () => {
  const { call, told } = await listening();
  await call('sign_off_node', { ...a, by: 'eve' });
  expect(told).toEqual([
    { type: 'plan_changed', data: { slug: 'shop', version: 1, nodes: ['a', 'b'] } },
    { type: 'plan_changed', data: { slug: 'other', version: 1, nodes: ['x'] } },
  ]);
});

test('a claim, its report, its release and its end are announced with the claim at that time', async () => {
  const { call, told, clock, ctx } = await listening();
  await call('claim_node', { ...a, agent: 'ada' });
  expect(told[0]).toMatchObject({ type: 'plan_changed', data: { nodes: ['a'] } });
  expect(told[1]).toMatchObject({
    type: 'claim_changed',
    data: { plan: 'shop', node: 'a', claim: { agent: 'ada' } },
  });
  told.length = 0;
  clock.advance(30 * 60_000);
  await noteExpired(ctx);
  expect(told.map(({ type }) => type)).toEqual(['plan_changed', 'claim_changed']);
  expect(told[1]?.data).toEqual({ plan: 'shop', node: 'a', claim: null });
});

test('a change without consequences is not announced', async () => {
  const { call, told } = await listening();
  await call('add_dependency', { plan: 'shop', node: 'b', dependsOn: 'a' });
  expect(told).toEqual([]);
});

/** A clock whose timers fire when the test moves the time. */
function steppedClock() {
  const clock = createSettableClock();
  const timers = new Set<{ due: number; work: () => void | Promise<void> }>();
  const stepped: Clock & typeof clock = {
    ...clock,
    every(ms, work) {
      const timer = { due: clock.monotonic() + ms, work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      clock.advance(ms);
      for (const timer of timers) if (timer.due <= clock.monotonic()) void timer.work();
    },
  };
  return { clock: stepped, waiting: () => timers.size };
}

test('a wait ends with the commit that makes it so, without looking in between', async () => {
  const { clock, waiting } = steppedClock();
  const { call, ctx } = await openInMemoryWork({ clock, log: createMemoryLog(clock) });
  await call('create_plan', { document: shop });
  const ready = call('await_dependencies', { plan: 'shop', node: 'b' });
  const done = call('await_node', a);
  await call('claim_node', { ...a, agent: 'ada' });
  const free = call('await_node', { ...a, until: 'unclaimed' });
  expect(waiting()).toBe(3);
  clock.advance(4000);
  await call('sign_off_node', { ...a, by: 'eve' });
  expect(await ready).toEqual({ outcome: 'ready', waitingFor: [], waitedSeconds: 4 });
  expect(await done).toMatchObject({ outcome: 'done', node: { status: 'done' }, waitedSeconds: 4 });
  clock.advance(30 * 60_000 - 4000);
  expect(await free).toMatchObject({ outcome: 'unclaimed' });
  await noteExpired(ctx);
  expect(waiting()).toBe(0);
});

test('a wait that timed out names what it waited for', async () => {
  const { clock, waiting } = steppedClock();
  const { call } = await openInMemoryWork({ clock, log: createMemoryLog(clock) });
  await call('create_plan', { document: shop });
  const vain = call('await_dependencies', { plan: 'shop', node: 'b', timeoutSeconds: 10 });
  clock.advance(10_000);
  expect(await vain).toEqual({ outcome: 'timeout', waitingFor: ['shop/a'], waitedSeconds: 10 });
  expect(waiting()).toBe(0);
});
