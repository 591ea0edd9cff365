// The baseline of every limit on the event loop: one small piece of work, repeated in another process next to the
// measured one. A slow machine slows both.
const text = JSON.stringify(Array.from({ length: 12_000 }, (_, at) => ({ id: `node-${at}`, title: 'A title', at })));

/** How long this thread computed. */
export function cpuMsOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

export const bareWork = (): string => JSON.stringify(JSON.parse(text));

if (import.meta.main) {
  // The first runs include compilation, so they are slower than all others.
  for (let times = 0; times < 10; times += 1) bareWork();
  let longestMs = 0;
  setInterval(() => {
    longestMs = Math.max(longestMs, cpuMsOf(bareWork));
  }, 50);
  process.send?.('ready');
  process.on('message', () => process.send?.(longestMs));
  process.on('disconnect', () => process.exit());
}
