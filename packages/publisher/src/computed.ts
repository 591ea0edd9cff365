const clock = process as { threadCpuUsage?(): { user: number; system: number } };

/** CPU time of this thread, if Node reports it; on a busy machine the rest is waiting. */
export function computedMs(): number {
  if (!clock.threadCpuUsage) return 0;
  const { user, system } = clock.threadCpuUsage();
  return (user + system) / 1000;
}
