import { durationMs, withPlus } from '../../kernel/duration.ts';
import { readTime } from './read-event.ts';

/** The instant that `olderThan` stands for: an instant, or a duration before now. Null for anything else. */
export function cutoffOf(text: string, nowMs: number): string | null {
  const duration = durationMs(text) ?? clockDurationMs(text);
  if (duration !== null) {
    const at = nowMs - duration;
    return Math.abs(at) > 8.64e15 ? null : new Date(at).toISOString();
  }
  return readTime(withPlus(text)) ?? null;
}

/** `[d.]hh:mm:ss`, as .NET writes a duration. */
function clockDurationMs(text: string): number | null {
  const match = /^(?:(\d{1,5})\.)?(\d{1,4}):([0-5]\d):([0-5]\d)(?:\.\d{1,7})?$/.exec(text);
  if (!match) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}
