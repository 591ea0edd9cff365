let language: string | undefined = 'en';
let formats = new Map<string, Intl.NumberFormat>();

/** The language in which numbers are written; undefined means the browser's language. */
export function setNumberLanguage(chosen: string | undefined): void {
  language = chosen;
  formats = new Map();
}

/** `1,234.5`, with this many digits after the point. */
export function formatNumber(value: number, digits = 0, notation: 'standard' | 'compact' = 'standard'): string {
  const key = `${digits}${notation}`;
  let format = formats.get(key);
  if (!format) {
    const least = notation === 'compact' ? 0 : digits;
    format = new Intl.NumberFormat(language, { notation, minimumFractionDigits: least, maximumFractionDigits: digits });
    formats.set(key, format);
  }
  return format.format(value);
}

/** `7,842`, `12.3B`, `1e+308`: a short count. A publisher may send any number. */
export function formatCount(value: number): string {
  if (value < 10_000_000) return formatNumber(value, Number.isInteger(value) ? 0 : 3);
  return value < 1e15 ? formatNumber(value, 1, 'compact') : value.toExponential(0);
}

/** `812 B`, `12 KB`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} KB` : `${formatNumber(bytes / 1_000_000, 1)} MB`;
}

/** `1 run`, `7 runs`. */
export const countWithNoun = (value: number, word: string): string =>
  `${formatCount(value)} ${word}${value === 1 ? '' : 's'}`;
