/** The only source of time. `wall` is milliseconds since 1970; `monotonic` never goes back. */
export type Clock = {
  wall(): number;
  monotonic(): number;
  /** Milliseconds since the machine was started, its sleep included; missing where the system has no such clock. */
  boot?(): number;
  /** Runs `work` every `ms`, never twice at once; returns a function that stops it. */
  every(ms: number, work: () => void | Promise<void>): () => void;
};

export const iso = (ms: number): string => new Date(ms).toISOString();

export const dayMs = 24 * 60 * 60_000;

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const short = /^(\d{1,9}(?:\.\d{1,9})?)([smhdw])$/i;
const long = /^P(?!$)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?!$)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/i;

/** `7d`, `36h` or `P7D` in milliseconds. Months and years are not accepted, because they have no fixed length. */
export function durationMs(text: string): number | null {
  const brief = short.exec(text);
  if (brief) return Number(brief[1]) * (unitMs[(brief[2] ?? '').toLowerCase()] ?? Number.NaN);
  const parts = long.exec(text)?.slice(1);
  if (!parts) return null;
  const units = ['w', 'd', 'h', 'm', 's'];
  return parts.reduce((sum, count, index) => sum + Number(count ?? 0) * (unitMs[units[index] ?? ''] ?? 0), 0);
}

/** An offset's plus sign that was not encoded arrives in a query as a blank. */
export const withPlus = (instant: string): string => instant.replace(/ (?=\d\d:?\d\d$)/, '+');
