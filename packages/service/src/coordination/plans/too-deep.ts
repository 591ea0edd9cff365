const maxLevels = 1_000;
/**
 * Whether a text nests deeper than any plan, judged by its brackets alone: parsing it would take minutes.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = Math.max(0, depth + (bracket === '[' || bracket === '{' ? 1 : -1));
    if (depth > maxLevels) return true;
  }
  return hasListsInLists(text);
}

/** `- - - -`: each mark with a blank behind it opens a level on the same line. */
function hasListsInLists(text: string): boolean {
  let levels = 0;
  for (const [, mark] of text.matchAll(/([-?:])[ \t]+|[^-?: \t]+|[-?: \t]/g)) {
    levels = mark === undefined ? 0 : levels + 1;
    if (levels >= maxLevels) return true;
  }
  return false;
}
