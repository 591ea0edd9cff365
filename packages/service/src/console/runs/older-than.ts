import { durationMs, withPlus } from '../../kernel/duration.ts';
import { readTime } from './member-checks.ts';

/** The instant that `olderThan` means: one that is named, or so long before now. Null for what is neither. */
export function cutoffOf(text: string, nowMs: number): string | null {
  const duration = durationMs(text);
  if (duration !== null) {
    const at = nowMs - duration;
    return Math.abs(at) > 8.64e15 ? null : new Date(at).toISOString();
  }
  return readTime(withPlus(text)) ?? null;
}
