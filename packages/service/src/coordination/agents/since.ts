const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `7d`, `36h`, `P7D`, `PT12H` back from now, or an instant; undefined when the text is none of these. */
export function parseSince(text: string, now: number): number | undefined {
  const short = /^(\d{1,9}(?:\.\d+)?)([smhdw])$/i.exec(text);
  if (short) return now - Number(short[1]) * (units[(short[2] ?? '').toLowerCase()] ?? 0);
  const long = /^P(?=.)(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$/i.exec(
    text,
  );
  if (long) {
    const [, w, d, h, m, s] = long.map((part) => Number(part ?? 0));
    return now - ((w ?? 0) * 7 + (d ?? 0)) * 86_400_000 - (h ?? 0) * 3_600_000 - (m ?? 0) * 60_000 - (s ?? 0) * 1_000;
  }
  // The plus of an offset that was not encoded comes out of a query as a blank.
  const whole = text.replace(/ (?=\d\d:?\d\d$)/, '+');
  const instant = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d))?$/i.test(whole) ? Date.parse(whole) : Number.NaN;
  return Number.isFinite(instant) ? instant : undefined;
}
