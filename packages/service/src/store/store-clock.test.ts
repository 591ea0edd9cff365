import { expect, test } from 'vitest';
import { createSettableClock } from '../../../../testing/settable-clock.ts';
import { clockOverSleep, storeClock } from './store-clock.ts';

test('a wall clock that is set back or forth moves no lease', () => {
  const clock = createSettableClock(Date.UTC(2026, 0, 1, 9));
  const now = storeClock(clock);
  clock.setWall(0);
  clock.advance(90_000);
  expect(now()).toBe('2026-01-01T09:01:30.000Z');
});

const hour = 3_600_000;

test('the clock goes on while the machine sleeps', () => {
  const clock = createSettableClock();
  const now = clockOverSleep(clock);
  clock.advance(1_000);
  clock.sleep(8 * hour);
  expect(now()).toBe(1_000 + 8 * hour);
  clock.advance(500);
  clock.sleep(hour);
  expect(now()).toBe(1_500 + 9 * hour);
});

test('setting the wall clock has no effect, awake or asleep', () => {
  const clock = createSettableClock();
  const now = clockOverSleep(clock);
  for (const jump of [hour, -2 * hour, 30_000, -1]) {
    clock.setWall(clock.wall() + jump);
    clock.advance(10);
    now();
  }
  expect(now()).toBe(40);
  clock.sleep(hour);
  clock.setWall(0);
  expect(now()).toBe(40 + hour);
});

test('without a boot clock the wall clock shows a sleep, and never sets this clock back', () => {
  const { boot: _, ...clock } = createSettableClock();
  const now = clockOverSleep(clock);
  clock.sleep(hour);
  expect(now()).toBe(hour);
  clock.setWall(clock.wall() - 2 * hour);
  clock.advance(2_000);
  expect(now()).toBe(hour + 2_000);
});

test('short sleeps are counted together, a clock that is read late is not', () => {
  const clock = createSettableClock();
  const now = clockOverSleep(clock);
  clock.sleep(3_000);
  clock.advance(2_000);
  expect(now()).toBe(2_000);
  clock.sleep(3_000);
  clock.advance(2_000);
  expect(now()).toBe(10_000);
});
