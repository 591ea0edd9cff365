import type { Clock } from '../kernel/clock.ts';

/**
 * The machine's clock. Once a shared store is open, its wall time is the store's, so that arrivals on all hosts of a
 * store are ordered by one clock, however far their own clocks differ.
 */
export type ArrivalClock = { clock: Clock; follow(storeNow: () => number): void };

export function createArrivalClock(machine: Clock): ArrivalClock {
  let now = () => machine.wall();
  return {
    clock: { ...machine, wall: () => now() },
    follow(storeNow) {
      now = storeNow;
    },
  };
}
