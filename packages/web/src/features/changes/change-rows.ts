import type { Overlap, RepositoryChanges } from '../../live/wire.ts';
import { countWithNoun } from '../../ui/format-count.ts';

export type ChangedTree = RepositoryChanges['trees'][number];
export type ChangedFile = ChangedTree['files'][number];

/** One path and what each tree does to it, with the strongest overlap. */
export type ChangeRow = {
  path: string;
  overlaps: readonly Overlap[];
  /** The changes of each tree, by the key of the tree. */
  files: ReadonlyMap<string, ChangedFile>;
  /** The default branch has changed it since. */
  behind: boolean;
};

export type Shown = 'all' | 'overlaps' | 'behind';

export const treeKey = ({ host, root }: Pick<ChangedTree, 'host' | 'root'>): string => `${host} ${root}`;

/** The node that a tree works on, else its branch or folder. */
export const treeName = ({ claims, branch, root }: Pick<ChangedTree, 'claims' | 'branch' | 'root'>): string =>
  claims[0] ?? branch ?? root.split('/').pop() ?? root;

const kinds = ['same_lines', 'same_file', 'behind'] as const;

export const isShared = ({ overlaps }: ChangeRow): boolean => overlaps.some(({ kind }) => kind !== 'behind');

const rank = ({ overlaps: [strongest] }: ChangeRow): number =>
  strongest ? kinds.indexOf(strongest.kind) : kinds.length;

type Pieces = { overlaps: Overlap[]; files: Map<string, ChangedFile> };

/** The rows of a repository: first those that will collide, the worst first, then all others by path. */
export function changeRows({ trees }: RepositoryChanges, overlaps: readonly Overlap[]): ChangeRow[] {
  const byPath = new Map<string, Pieces>();
  const rowOf = (path: string): Pieces => {
    const known = byPath.get(path) ?? { overlaps: [], files: new Map() };
    byPath.set(path, known);
    return known;
  };
  for (const overlap of overlaps) rowOf(overlap.path).overlaps.push(overlap);
  const spelled = otherSpellings(trees, overlaps);
  for (const tree of trees)
    for (const file of tree.files) rowOf(spelled.get(file) ?? file.path).files.set(treeKey(tree), file);
  return [...byPath]
    .map(([path, row]) => ({
      path,
      files: row.files,
      overlaps: row.overlaps.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind)),
      behind: [...row.files.values()].some(({ behind }) => behind),
    }))
    .sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
}

/** Files of an overlap that a tree spells differently on a case-insensitive file system: they belong in the row of the overlap. */
function otherSpellings(trees: readonly ChangedTree[], overlaps: readonly Overlap[]): Map<ChangedFile, string> {
  const folded = (path: string) => path.normalize('NFC').toLowerCase();
  const found = new Map<ChangedFile, string>();
  for (const tree of trees) {
    const key = treeKey(tree);
    const own = new Set(tree.files.map(({ path }) => path));
    const missing = overlaps.filter(({ path, trees: of }) => !own.has(path) && of.some((one) => treeKey(one) === key));
    const paths = new Map(missing.map(({ path }) => [folded(path), path]));
    for (const file of paths.size === 0 ? [] : tree.files) {
      const path = paths.get(folded(file.path));
      if (path !== undefined) found.set(file, path);
    }
  }
  return found;
}

export const rowsShown = (rows: readonly ChangeRow[], shown: Shown): ChangeRow[] =>
  rows.filter((row) => shown === 'all' || (shown === 'overlaps' ? isShared(row) : row.behind));

/** How a tree changes a file, as a word or a number of lines. */
export function changeText({ change, lines, ranges }: ChangedFile, noun?: 'line'): string {
  if (change === 'deleted') return 'deleted';
  if (lines !== null) {
    const count = noun ? countWithNoun(lines, noun) : String(lines);
    return change === 'added' ? `new, ${count}` : count;
  }
  return change === 'added' ? 'new' : ranges.length === 0 ? 'binary' : 'changed';
}

/** The text to give to the agents of an overlap. */
export function adviceFor(row: ChangeRow, trees: readonly ChangedTree[]): string {
  const [overlap] = row.overlaps;
  if (!overlap) return '';
  const names = overlap.trees.map((tree) => {
    const known = trees.find((one) => treeKey(one) === treeKey(tree));
    return `${treeName(tree)} (${known?.agents[0] ?? tree.branch ?? tree.root})`;
  });
  if (overlap.kind === 'behind') return `The default branch has changed ${row.path} since ${names[0]} began. Rebase.`;
  const what = overlap.kind === 'same_lines' ? 'the same lines of' : 'different lines of';
  return `${names.join(' and ')} change ${what} ${row.path}. Agree in the notes of your nodes on who changes what, rebase on the other branch, or wait for the other node.`;
}
