import type { Clock } from '../packages/service/src/kernel/clock.ts';

/**
 * A clock that stands still until it is moved. `advance` moves all time, `setWall` only wall time, `sleep` all but
 * monotonic time, as a laptop that is shut; `tick` runs what has become due meanwhile, each once, and waits for it.
 */
export type SettableClock = Required<Clock> & {
  advance(ms: number): void;
  setWall(ms: number): void;
  sleep(ms: number): void;
  tick(): Promise<void>;
};

type Due = { ms: number; at: number; work: () => void | Promise<void> };

export function createSettableClock(start = Date.UTC(2026, 0, 1, 9)): SettableClock {
  let wall = start;
  let monotonic = 0;
  let slept = 0;
  const repeated = new Set<Due>();
  return {
    wall: () => wall,
    monotonic: () => monotonic,
    boot: () => monotonic + slept,
    every(ms, work) {
      const due = { ms, at: monotonic + ms, work };
      repeated.add(due);
      return () => repeated.delete(due);
    },
    advance(ms) {
      wall += ms;
      monotonic += ms;
    },
    setWall(ms) {
      wall = ms;
    },
    sleep(ms) {
      wall += ms;
      slept += ms;
    },
    async tick() {
      const now = [...repeated].filter(({ at }) => at <= monotonic);
      for (const due of now) due.at = monotonic + due.ms;
      await Promise.all(now.map(({ work }) => work()));
    },
  };
}
