/** What becomes of one file; null stands for no file. `path` is relative to the project. */
export type FileChange = { path: string; before: string | null; after: string | null };

/** A file that cannot be extended without risk to what is in it. */
export class CannotConnect extends Error {}

/** The lines that differ, with the lines around them, as people know it from version control. */
export function diffOf({ path, before, after }: FileChange): string {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const context = 2;
  const top = old.slice(Math.max(0, start - context), start);
  const bottom = old.slice(old.length - end, old.length - end + context);
  return [
    before === null ? `create ${path}` : after === null ? `delete ${path}` : `change ${path}`,
    ...top.map((line) => `    ${line}`),
    ...old.slice(start, old.length - end).map((line) => `  - ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `  + ${line}`),
    ...bottom.map((line) => `    ${line}`),
    '',
  ].join('\n');
}

const linesOf = (text: string | null): string[] =>
  text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n');
