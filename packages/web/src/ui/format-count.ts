const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** `7,842`, `12.3B`, `1e+308`: a short count. A publisher may send any number. */
export function formatCount(value: number): string {
  if (value < 10_000_000) return value.toLocaleString('en');
  return value < 1e15 ? short.format(value) : value.toExponential(0);
}

/** `812 B`, `12 KB`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `1 run`, `7 runs`. */
export const countWithNoun = (value: number, word: string): string =>
  `${formatCount(value)} ${word}${value === 1 ? '' : 's'}`;
