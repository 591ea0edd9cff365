import { formatDuration } from '../../../ui/time.tsx';

/** A duration is mentioned if it is 1.5 times the usual one, and only above the noise of a busy host. */
const factor = 1.5;
const minMs = 1_000;

/** How much longer a run took than such runs usually do; null if it did not. */
export function slowerThanUsual(durationMs: number | null, usualMs: number | null): string | null {
  if (durationMs === null || usualMs === null || usualMs <= 0) return null;
  const moreMs = durationMs - usualMs;
  if (moreMs < minMs || durationMs < usualMs * factor) return null;
  return `${formatDuration(moreMs)} over its usual ${formatDuration(usualMs)}`;
}
