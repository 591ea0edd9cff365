import type { Clock } from '../kernel/clock.ts';

/**
 * The machine's clock, whose wall time is that of the shared store once one is open: what arrives on hosts of one store
 * is ordered by one clock, however far theirs are apart.
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
