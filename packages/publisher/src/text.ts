import { stripVTControlCharacters } from 'node:util';

/** Plain text of at most so many characters; what is left off is counted. */
export function plain(text: string, limit: number): string {
  const bare = stripVTControlCharacters(text.length > limit * 2 ? text.slice(0, limit * 2) : text);
  return bare.length <= limit ? bare : `${bare.slice(0, limit)}… (${text.length - limit} more characters)`;
}

/** The last lines of what a test printed, bounded in number and length. */
export function lastLines(texts: readonly string[], lines = 200): string[] {
  const all = texts.flatMap((text) => text.replace(/\r?\n$/, '').split(/\r?\n/));
  return all.slice(-lines).map((line) => plain(line, 2_000));
}

/** A value as a person reads it. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return plain(value, 2_000);
  try {
    return plain(JSON.stringify(value) ?? String(value), 2_000);
  } catch {
    return plain(String(value), 2_000);
  }
}
