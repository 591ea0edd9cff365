import { stolenMs } from '../packages/service/src/edge/stolen-time.ts';

/**
 * Tells the milliseconds since it was made, without those in which the host of this virtual machine ran others instead:
 * what takes too long is then slow itself.
 */
export function stopwatch(): () => number {
  const began = performance.now();
  const before = stolenMs();
  return () => {
    const stolen = stolenMs().map((ms, processor) => ms - (before[processor] ?? ms));
    return performance.now() - began - Math.max(0, ...stolen);
  };
}
