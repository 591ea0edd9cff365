/**
 * How a system writes down when a process started: Linux as clock ticks since boot, macOS as the date that `ps` prints,
 * Windows as a FILETIME.
 */
export type StartFormat = 'ticks' | 'date' | 'filetime';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const datePattern = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;
/** `ps` drops the fraction of a second, and two programs may round differently. */
const toleranceMs = 1_000;
/** A process starts before it writes a file, but the two times come from clocks that may differ by this much. */
const slackMs = 2_000;

/** Undefined for an unknown format. */
export function startFormatOf(start: string): StartFormat | undefined {
  const text = start.trim();
  if (/^\d{1,16}$/.test(text)) return 'ticks';
  if (/^\d{17,19}$/.test(text)) return 'filetime';
  return instantOf(text) === undefined ? undefined : 'date';
}

/** Compares two times in the same format. A date is read as UTC, which both the registry and our call of `ps` use. */
export function isSameStart(one: string, other: string): boolean {
  const [first, second] = [instantOf(one.trim()), instantOf(other.trim())];
  if (first === undefined || second === undefined) return one.trim() === other.trim();
  return Math.abs(first - second) <= toleranceMs;
}

/** Undefined if the text is not such a date. */
export function instantOf(text: string): number | undefined {
  const [, month = '', day, hours, minutes, seconds, year] = datePattern.exec(text.replaceAll(/ {2,8}/g, ' ')) ?? [];
  const index = months.indexOf(month);
  if (index < 0) return undefined;
  return Date.UTC(Number(year), index, Number(day), Number(hours), Number(minutes), Number(seconds));
}

/** Whether a file was written before a process started; false if the start is not known. */
export const isOlderThan = (writtenAtMs: number, startedAt: number | null): boolean =>
  startedAt !== null && startedAt > writtenAtMs + slackMs;
