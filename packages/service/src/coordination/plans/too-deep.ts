const maxLevels = 1_000;
const listsInLists = new RegExp(`(?:[-?:][ \\t]+){${maxLevels}}`);

/**
 * Whether a text nests deeper than any plan does, as far as its brackets tell without reading it: its reader would take
 * minutes for it.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > maxLevels) return true;
  }
  return listsInLists.test(text);
}
