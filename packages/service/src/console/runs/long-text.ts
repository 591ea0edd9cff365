/** Nobody reads further; the archive has all of it. */
export const longestText = 64 * 1024;

export const isShort = (text: string): boolean => text.length <= longestText;

/** A long text as its beginning and how much was left out. A copy: a part of a text would keep the whole one in memory. */
export function shortened(text: string): string {
  if (isShort(text)) return text;
  const beginning = JSON.parse(JSON.stringify(text.slice(0, longestText)));
  return `${beginning}\n… ${text.length - longestText} more characters are in the export as NDJSON.`;
}
