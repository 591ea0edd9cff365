import type { Need, NeedKind } from '../../coordination/needs/contract.ts';

/** From one time of the day to another, possibly over midnight, in minutes since midnight. */
export type QuietHours = { from: number; to: number };
export type Wanted = { kinds: readonly NeedKind[] | null; quiet: QuietHours | null };

/** `22:00-07:00`; null where it is not two times of a day. */
export function readQuietHours(text: string): QuietHours | null {
  const match = /^(\d{1,2}):(\d\d)-(\d{1,2}):(\d\d)$/.exec(text.trim());
  if (!match) return null;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = match.slice(1).map(Number);
  if (fromHour > 23 || toHour > 23 || fromMinute > 59 || toMinute > 59) return null;
  return { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
}

export function isQuiet({ from, to }: QuietHours, minute: number): boolean {
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

/**
 * What to show: needs that were not there before, of the kinds asked for, outside quiet hours. What is new in quiet hours
 * is shown after them if it is still there.
 */
export function newNeeds(
  needs: readonly Need[],
  seen: ReadonlySet<string>,
  { kinds, quiet }: Wanted,
  minute: number,
): { show: Need[]; seen: Set<string> } {
  const wanted = needs.filter(({ kind }) => kinds === null || kinds.includes(kind));
  const known = new Set(needs.filter(({ key }) => seen.has(key)).map(({ key }) => key));
  if (quiet && isQuiet(quiet, minute)) return { show: [], seen: known };
  return { show: wanted.filter(({ key }) => !seen.has(key)), seen: new Set(needs.map(({ key }) => key)) };
}
