import { diffLines, diffWordsWithSpace } from 'diff';

export type DiffPart = { text: string; changed: boolean };
export type DiffLine = { kind: 'same' | 'expected' | 'actual'; parts: readonly DiffPart[] };
/** `hidden`: equal lines far from any difference. */
export type DiffRow = DiffLine | { kind: 'hidden'; lines: readonly DiffLine[] };

/** A comparison of long texts stops after this time and shows both texts whole. */
const timeoutMs = 100;
const context = 3;
/** Words are compared only if that is clearer than the two lines. */
const longestWords = 600;

/** Expected against actual, line by line; within similar lines the differing words are marked. */
export function diffRows(expected: string, actual: string): DiffRow[] {
  const [before, after] = bothPrinted(expected, actual);
  return hideSame(linesOf(before, after));
}

function linesOf(before: string, after: string): DiffLine[] {
  const changes = diffLines(ended(before), ended(after), { timeout: timeoutMs });
  if (!changes) return [...plain(before, 'expected'), ...plain(after, 'actual')];
  const rows: DiffLine[] = [];
  changes.forEach(({ value, removed, added }, index) => {
    const next = changes[index + 1];
    const previous = changes[index - 1];
    if (removed && next?.added) rows.push(...paired(value, next.value));
    else if (added && previous?.removed) return;
    else rows.push(...plain(value, removed ? 'expected' : added ? 'actual' : 'same'));
  });
  return rows;
}

/** Without this the last line would differ only by its missing line end. */
const ended = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

const split = (text: string): string[] => ended(text).slice(0, -1).split('\n');

const plain = (text: string, kind: DiffLine['kind']): DiffLine[] =>
  split(text).map((line) => ({ kind, parts: [{ text: line, changed: false }] }));

function paired(before: string, after: string): DiffLine[] {
  const [old, now] = [split(before), split(after)];
  if (old.length !== now.length) return [...plain(before, 'expected'), ...plain(after, 'actual')];
  const pairs = old.map((line, index) => words(line, now[index] ?? ''));
  return [
    ...pairs.map(([parts]) => ({ kind: 'expected' as const, parts })),
    ...pairs.map(([, parts]) => ({ kind: 'actual' as const, parts })),
  ];
}

function words(before: string, after: string): [DiffPart[], DiffPart[]] {
  const whole = (text: string) => [{ text, changed: true }];
  if (before.length + after.length > longestWords) return [whole(before), whole(after)];
  const changes = diffWordsWithSpace(before, after);
  const of = (left: 'removed' | 'added') =>
    changes.flatMap((change) =>
      change[left] ? [] : [{ text: change.value, changed: Boolean(change.removed || change.added) }],
    );
  return [of('added'), of('removed')];
}

function hideSame(lines: readonly DiffLine[]): DiffRow[] {
  const isNear = new Set<number>();
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') for (let at = index - context; at <= index + context; at += 1) isNear.add(at);
  });
  const rows: DiffRow[] = [];
  let hidden: DiffLine[] = [];
  const flush = () => {
    if (hidden.length > 1) rows.push({ kind: 'hidden', lines: hidden });
    else rows.push(...hidden);
    hidden = [];
  };
  lines.forEach((line, index) => {
    if (isNear.has(index)) {
      flush();
      rows.push(line);
    } else hidden.push(line);
  });
  flush();
  return rows;
}

/** Prints objects with sorted members, so that their order does not matter. */
function bothPrinted(expected: string, actual: string): [string, string] {
  const [before, after] = [objectIn(expected), objectIn(actual)];
  return before && after ? [printed(before), printed(after)] : [expected, actual];
}

function objectIn(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const printed = (value: object): string => JSON.stringify(sorted(value), null, 2);

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

const marks: Readonly<Record<string, string>> = { '\t': '→\t', '\r': '␍', '\u00a0': '⍽', '\u200b': '⁃', '\ufeff': '⁃' };

/** Makes white space visible where it differs or ends a line. */
export const visible = (text: string): string =>
  text
    .replace(/[\t\r\u00a0\u200b\ufeff]/g, (mark) => marks[mark] ?? mark)
    .split(' ')
    .join('·');
