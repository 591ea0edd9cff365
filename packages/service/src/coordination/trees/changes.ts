/**
 * Lines of a text, described by the gaps between them: gap 0 is before the first line, gap 7 after the seventh. An
 * insertion has `from` equal to `to`. Two ranges touch if they share a gap, because git cannot merge adjacent changes
 * either.
 */
export type LineRange = readonly [from: number, to: number];

/** The lines that a tree changes in one text. The text is identified by the start of its object id; no content is stored. */
export type ChangedLines = { text: string; ranges: readonly LineRange[] };

/** A path that a tree changes: by commits since the merge base, in its index or on disk. */
export type ChangedPath = {
  path: string;
  change: 'added' | 'modified' | 'deleted';
  /** How many lines it changes; null for binary files, submodules and untracked files. */
  lines: number | null;
  /** Compared with the merge base and, if the default branch has changed the path since, with that. */
  in: readonly ChangedLines[];
  since: string;
  /** When the service noticed that the default branch changed the path too; null if it has not. */
  behindSince: string | null;
};

/** The changes of a working tree against the default branch, as git reports them. */
export type ReadChanges = {
  defaultBranch: string | null;
  /** Two spellings of a path that differ only in case name one file there. */
  ignoresCase: boolean;
  paths: readonly ChangedPath[];
  truncated: boolean;
};

/** At most this many paths of a tree are kept. */
export const maxPaths = 5_000;
export const maxRanges = 100;

/** `@@ -10,2 +10,3 @@` of `git diff -U0` */
const hunkHeader = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

export type Hunk = { old: LineRange; new: LineRange };

export function parseHunk(line: string): Hunk | null {
  const found = hunkHeader.exec(line);
  if (!found) return null;
  const [, oldStart, oldCount = '1', newStart, newCount = '1'] = found;
  return { old: rangeOf(Number(oldStart), Number(oldCount)), new: rangeOf(Number(newStart), Number(newCount)) };
}

/** If the count is 0, the start is the line before. */
const rangeOf = (start: number, count: number): LineRange =>
  count === 0 ? [start, start] : [start - 1, start - 1 + count];

const lengthOf = ([from, to]: LineRange): number => to - from;

export const linesIn = (hunks: readonly Hunk[]): number =>
  hunks.reduce((sum, hunk) => sum + Math.max(lengthOf(hunk.old), lengthOf(hunk.new)), 0);

/** The ranges that hunks change in the older text. Beyond a limit the rest becomes one range. */
export function rangesOf(hunks: readonly Hunk[]): LineRange[] {
  const ranges = hunks.map(({ old }) => old);
  if (ranges.length <= maxRanges) return ranges;
  const [first, last] = [ranges[maxRanges - 1], ranges.at(-1)];
  return [...ranges.slice(0, maxRanges - 1), [first?.[0] ?? 0, last?.[1] ?? 0]];
}

/** The ranges in the text after `hunks`. A range that a hunk cuts grows to cover the replacement. */
export function shiftRanges(ranges: readonly LineRange[], hunks: readonly Hunk[]): LineRange[] {
  return ranges.map(([from, to]) => {
    const ends = [shiftGap(from, hunks, 'after'), shiftGap(to, hunks, 'before')];
    return [Math.min(...ends), Math.max(...ends)];
  });
}

/** A gap at the edge of a hunk is before or after the hunk's new lines. */
function shiftGap(gap: number, hunks: readonly Hunk[], side: 'before' | 'after'): number {
  let shift = 0;
  for (const { old, new: now } of hunks) {
    const isPassed = side === 'after' ? old[1] <= gap : old[1] < gap;
    if (!isPassed) return old[0] < gap ? (side === 'after' ? now[0] : now[1]) : gap + shift;
    shift = now[1] - old[1];
  }
  return gap + shift;
}

export const rangesTouch = (a: readonly LineRange[], b: readonly LineRange[]): boolean =>
  a.some(([from, to]) => b.some((other) => from <= other[1] && other[0] <= to));

/** An entry of `git status --porcelain=v2 -z --no-renames`. */
export type StatusEntry = { path: string; state: 'tracked' | 'untracked' | 'ignored' };

export function parseStatus(record: string): StatusEntry | null {
  if (record.startsWith('? ')) return { path: record.slice(2), state: 'untracked' };
  if (record.startsWith('! ')) return { path: record.slice(2), state: 'ignored' };
  const fields = record.startsWith('1 ') ? 8 : record.startsWith('u ') ? 10 : 0;
  if (fields === 0) return null;
  let at = 0;
  for (let field = 0; field < fields; field++) at = record.indexOf(' ', at) + 1;
  return { path: record.slice(at), state: 'tracked' };
}

/** A file in the output of `git diff --raw -z -U0 --abbrev=40 --no-renames`. */
export type FileDiff = {
  path: string;
  change: ChangedPath['change'];
  /** The object it had before; null if it is new. */
  before: string | null;
  after: string | null;
  /** Null if line numbers have no meaning: binary files and submodules. */
  hunks: readonly Hunk[] | null;
};

type RawEntry = Omit<FileDiff, 'hunks'> & { isTypeChange: boolean; isSubmodule: boolean };

const noObject = /^0+$/;

/** `:100644 100644 <before> <after> M` */
function parseRaw(fields: string, path: string): RawEntry | null {
  const [oldMode = '', newMode = '', before = '', after = '', status = ''] = fields.slice(1).split(' ');
  // An unmerged path has a second entry with its kind of change.
  if (!fields.startsWith(':') || status === '' || status.startsWith('U')) return null;
  return {
    path,
    change: status.startsWith('A') ? 'added' : status.startsWith('D') ? 'deleted' : 'modified',
    before: noObject.test(before) ? null : before,
    after: noObject.test(after) ? null : after,
    isTypeChange: status.startsWith('T'),
    isSubmodule: oldMode === '160000' || newMode === '160000',
  };
}

/** The raw entries come first, then one section for each, in the same order; a change of type has two sections. */
export function parseDiff(output: string): FileDiff[] {
  const entries: RawEntry[] = [];
  let at = 0;
  while (output[at] === ':') {
    const end = output.indexOf('\0', at);
    const pathEnd = output.indexOf('\0', end + 1);
    if (end < 0 || pathEnd < 0) break;
    const entry = parseRaw(output.slice(at, end), output.slice(end + 1, pathEnd));
    if (entry) entries.push(entry);
    at = pathEnd + 1;
  }
  const sections = parseSections(output.slice(at).replace(/^\0/, ''));
  let next = 0;
  return entries.map(({ isTypeChange, isSubmodule, ...entry }) => {
    const own = sections.slice(next, next + (isTypeChange ? 2 : 1));
    next += own.length;
    const isBinary = isSubmodule || own.some((hunks) => hunks === null);
    return { ...entry, hunks: isBinary ? null : own.flatMap((hunks) => hunks ?? []) };
  });
}

/** Lines of content begin with a sign, so these are headers. */
function parseSections(patch: string): Array<Hunk[] | null> {
  const sections: Array<Hunk[] | null> = [];
  for (let from = 0; from < patch.length; ) {
    const end = patch.indexOf('\n', from);
    const stop = end < 0 ? patch.length : end;
    const first = patch[from];
    if (first === 'd' && patch.startsWith('diff --git ', from)) sections.push([]);
    else if (first === 'B' && patch.startsWith('Binary files ', from)) sections[sections.length - 1] = null;
    else if (first === '@') {
      const hunk = parseHunk(patch.slice(from, Math.min(stop, from + 80)));
      if (hunk) sections.at(-1)?.push(hunk);
    }
    from = stop + 1;
  }
  return sections;
}

/** Long enough to distinguish texts, too short to look like an object id. */
const textName = (object: string): string => object.slice(0, 16);

/** How a tracked path changes: its diff against the merge base, and what the default branch has done to it since. */
export function changeOf(own: FileDiff, upstream: FileDiff | null): Pick<ChangedPath, 'change' | 'lines' | 'in'> {
  const { change, before, hunks } = own;
  const lines = hunks && linesIn(hunks);
  if (before === null || hunks === null) return { change, lines, in: [] };
  const ranges = rangesOf(hunks);
  const inBase = { text: textName(before), ranges };
  if (!upstream?.after || !upstream.hunks) return { change, lines, in: [inBase] };
  return {
    change,
    lines,
    in: [inBase, { text: textName(upstream.after), ranges: shiftRanges(ranges, upstream.hunks) }],
  };
}
