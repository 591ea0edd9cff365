import type { Clock } from '../kernel/clock.ts';

/** A clock that stands still until it is told otherwise. `advance` moves both hands, `setWall` only the one people set. */
export type SettableClock = Clock & { advance(ms: number): void; setWall(ms: number): void };

export function createSettableClock(start = Date.UTC(2026, 0, 1, 9)): SettableClock {
  let wall = start;
  let monotonic = 0;
  return {
    wall: () => wall,
    monotonic: () => monotonic,
    every: () => () => undefined,
    advance(ms) {
      wall += ms;
      monotonic += ms;
    },
    setWall(ms) {
      wall = ms;
    },
  };
}
