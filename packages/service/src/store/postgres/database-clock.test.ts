import { expect, test } from 'vitest';
import { createSettableClock } from '../../../../../testing/settable-clock.ts';
import { DatabaseClock } from './database-clock.ts';

const said = new Date('2026-01-01T09:00:00.000Z');

function clockThatHeard() {
  const machine = createSettableClock(0);
  const clock = new DatabaseClock(machine);
  const asked = clock.askedAt();
  machine.advance(40);
  clock.setFrom(said, asked);
  return { machine, clock };
}

test('the time is the last answer of the database, advanced since it arrived', () => {
  const { machine, clock } = clockThatHeard();
  expect(clock.now()).toBe('2026-01-01T09:00:00.000Z');
  machine.advance(1500);
  machine.setWall(0);
  expect(clock.now()).toBe('2026-01-01T09:00:01.500Z');
});

test('a slow answer does not set the time back, a quick one may set it forth', () => {
  const { machine, clock } = clockThatHeard();
  const slow = clock.askedAt();
  machine.advance(1000);
  clock.setFrom(new Date(said.getTime() + 200), slow);
  expect(clock.now()).toBe('2026-01-01T09:00:01.000Z');
  clock.setFrom(new Date(said.getTime() + 1030), clock.askedAt());
  expect(clock.now()).toBe('2026-01-01T09:00:01.030Z');
});

test('a database whose clock was set back is followed', () => {
  const { machine, clock } = clockThatHeard();
  machine.advance(1000);
  clock.setFrom(new Date(said.getTime() - 60_000), clock.askedAt());
  expect(clock.now()).toBe('2026-01-01T08:59:00.000Z');
});
