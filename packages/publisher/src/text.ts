import { stripVTControlCharacters } from 'node:util';

/** Plain text, cut to a number of characters; the rest is counted. */
export function plain(text: string, limit: number): string {
  const bare = stripVTControlCharacters(text.length > limit * 2 ? text.slice(0, limit * 2) : text);
  return bare.length <= limit ? bare : `${bare.slice(0, limit)}… (${text.length - limit} more characters)`;
}

const shownLength = 8_000;

/** A value formatted for a person, with line breaks. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return plain(value, shownLength);
  try {
    return plain(JSON.stringify(value, null, 2) ?? String(value), shownLength);
  } catch {
    return plain(String(value), shownLength);
  }
}
