import type { Clock } from '../../../kernel/clock.ts';

/** Whether a task is due again; the first time is now. */
export function createSchedule(clock: Pick<Clock, 'monotonic'>): (task: string, everyMs: number) => boolean {
  const lastRun = new Map<string, number>();
  return (task, everyMs) => {
    const now = clock.monotonic();
    const before = lastRun.get(task);
    if (before !== undefined && now - before < everyMs) return false;
    lastRun.set(task, now);
    return true;
  };
}
