/** A time such as `20:20 UTC (in 28 min)`, with the date unless it is today. */
export function untilText(at: string, now: number): string {
  const minutes = Math.round((Date.parse(at) - now) / 60_000);
  const day = at.slice(0, 10) === new Date(now).toISOString().slice(0, 10) ? '' : `${at.slice(0, 10)} `;
  const distance = minutes >= 0 ? `in ${durationText(minutes)}` : `${durationText(-minutes)} ago`;
  return `${day}${at.slice(11, 16)} UTC (${distance})`;
}

/** Such as `14:02:10 UTC`. */
export const clockTime = (at: string): string => `${at.slice(11, 19)} UTC`;

export function durationText(minutes: number): string {
  if (minutes < 60) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${Math.floor(minutes / 1440)} days`;
}

export const agoText = (at: string, now: number): string =>
  `${durationText(Math.max(0, Math.round((now - Date.parse(at)) / 60_000)))} ago`;

/** `1 event`, `12,345 events`. */
export const amountOf = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** A size for people, such as `4.2 MB`. */
export function sizeOf(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}
