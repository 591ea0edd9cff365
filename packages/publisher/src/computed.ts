const clock = process as { threadCpuUsage?(): { user: number; system: number } };

/** The time this thread has computed, where Node tells; on a busy machine the rest is waiting for a turn. */
export function computedMs(): number {
  if (!clock.threadCpuUsage) return 0;
  const { user, system } = clock.threadCpuUsage();
  return (user + system) / 1000;
}
