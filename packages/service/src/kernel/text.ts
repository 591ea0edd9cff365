/** The known word closest to a mistyped one, if it is close enough: after two edits a short word has little left in common with another. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(word.length / 3)) + 1;
  const lower = word.toLowerCase();
  for (const candidate of candidates) {
    const distance = edits(lower, candidate.toLowerCase(), least);
    const isClose = distance * 2 <= Math.min(word.length, candidate.length);
    if (isClose && distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Levenshtein distance. Stops once it cannot stay under `limit`, because one frame may contain hundreds of mistyped words. */
function edits(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit || lettersMissing(a, b) >= limit || lettersMissing(b, a) >= limit)
    return limit;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? limit;
}

/** A lower bound of the edits between two words: each edit adds at most one letter that the other word lacks. */
function lettersMissing(word: string, other: string): number {
  let left = lettersOf(word) & ~lettersOf(other);
  let missing = 0;
  for (; left !== 0; left &= left - 1) missing += 1;
  return missing;
}

/** One bit for each letter; letters that share a bit count as one. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

/** Removes the characters of `any` from the end. An expression such as /-+$/ tries each start, which takes quadratic time. */
export function trimEndOf(text: string, any: string): string {
  let end = text.length;
  while (end > 0 && any.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Removes the characters of `any` from both ends. */
export function trimOf(text: string, any: string): string {
  const trimmed = trimEndOf(text, any);
  let start = 0;
  while (start < trimmed.length && any.includes(trimmed.charAt(start))) start += 1;
  return trimmed.slice(start);
}

/** Device names of Windows: no file can have such a name there, with any extension, also on a shared drive. */
const device = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Whether a name of letters, digits, `.`, `_` and `-` is a valid file name on every system. Windows drops a dot at the end. */
export const isFileName = (name: string): boolean => !device.test(name) && !name.endsWith('.');
