/** The change of one file; null means that the file does not exist. `path` is relative to the project. */
export type FileChange = {
  path: string;
  before: string | null;
  after: string | null;
  /** The permission that a part of it grants; shown before the person agrees. */
  note?: string;
  /** Shown instead of the lines if the file is too long to review. */
  summary?: string;
};

/** A file that cannot be extended without risk to its contents. */
export class CannotConnect extends Error {}

/** The differing lines with their context, like a diff in version control. */
export function diffOf({ path, before, after, note, summary }: FileChange): string {
  const head = before === null ? `create ${path}` : after === null ? `delete ${path}` : `change ${path}`;
  if (summary !== undefined) return `${head}\n    (${summary})\n`;
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
    head,
    ...(note === undefined ? [] : [`    (${note})`]),
    ...top.map((line) => `    ${visible(line)}`),
    ...old.slice(start, old.length - end).map((line) => `  - ${visible(line)}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `  + ${visible(line)}`),
    ...bottom.map((line) => `    ${visible(line)}`),
    '',
  ].join('\n');
}

/** A file may contain control characters that move the cursor or change the text direction: they are shown as codes, never sent to the terminal. */
const visible = (line: string): string =>
  line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) =>
    sign === '\t' ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`,
  );

const linesOf = (text: string | null): string[] =>
  text === null || text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
