import type { Clock } from '../../../kernel/clock.ts';

/** Whether a task is due again; its first time is now. */
export function createDue(clock: Pick<Clock, 'monotonic'>): (task: string, everyMs: number) => boolean {
  const last = new Map<string, number>();
  return (task, everyMs) => {
    const now = clock.monotonic();
    const before = last.get(task);
    if (before !== undefined && now - before < everyMs) return false;
    last.set(task, now);
    return true;
  };
}
