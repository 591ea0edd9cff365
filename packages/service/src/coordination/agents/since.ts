import { durationMs, withPlus } from '../../kernel/clock.ts';

/** `7d`, `36h`, `P7D`, `PT12H` back from now, or an instant; undefined when the text is none of these. */
export function parseSince(text: string, now: number): number | undefined {
  const duration = durationMs(text);
  if (duration !== null) return now - duration;
  const whole = withPlus(text);
  const instant = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d))?$/i.test(whole) ? Date.parse(whole) : Number.NaN;
  return Number.isFinite(instant) ? instant : undefined;
}
