import { stolenMs } from '../packages/service/src/edge/stolen-time.ts';

/**
 * Tells the milliseconds since it was made in which the host of this virtual machine ran others on one of its processors.
 * The system counts them as computed by whoever had the processor.
 */
export function stolenSince(): () => number {
  const before = stolenMs();
  return () => Math.max(0, ...stolenMs().map((ms, processor) => ms - (before[processor] ?? ms)));
}

/** Tells the milliseconds since it was made, without those that the host took: what takes too long is then slow itself. */
export function stopwatch(): () => number {
  const began = performance.now();
  const stolen = stolenSince();
  return () => performance.now() - began - stolen();
}

/** How long this thread computed: what else the machine or its host does is not counted. */
export function computedMs(work: () => unknown): number {
  const stolen = stolenSince();
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 - stolen();
}
