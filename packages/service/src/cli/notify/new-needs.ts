import type { Need, NeedKind } from '../../coordination/needs/contract.ts';

/** A span between two times of day, possibly across midnight, in minutes since midnight. */
export type QuietHours = { from: number; to: number };
export type Wanted = { kinds: readonly NeedKind[] | null; quiet: QuietHours | null };

/** Parses `22:00-07:00`; null if it is not two times of day. */
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
 * The needs to show: new ones of the requested kinds, outside quiet hours. New needs in quiet hours are shown afterwards
 * if they still exist.
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
