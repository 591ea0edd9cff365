import { expect, test } from 'vitest';
import { createSettableClock } from '../../../../testing/settable-clock.ts';
import { storeClock } from './store-clock.ts';

test('a wall clock that is set back or forth moves no lease', () => {
  const clock = createSettableClock(Date.UTC(2026, 0, 1, 9));
  const now = storeClock(clock);
  clock.setWall(0);
  clock.advance(90_000);
  expect(now()).toBe('2026-01-01T09:01:30.000Z');
});
