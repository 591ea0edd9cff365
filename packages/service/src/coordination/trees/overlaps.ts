import { type ChangedPath, type ReadChanges, rangesTouch } from './changes.ts';

/** The changes of one live working tree of any host. */
export type TreeChanges = ReadChanges & {
  host: string;
  root: string;
  /** `owner/name`, or the path of the main working tree if it has no remote. */
  repository: string;
  branch: string | null;
};

export const overlapKinds = ['same_lines', 'same_file', 'behind'] as const;
export type OverlapKind = (typeof overlapKinds)[number];

/** A path that several working trees of a repository change. */
export type OverlapFacts = {
  repository: string;
  path: string;
  kind: OverlapKind;
  trees: readonly TreeChanges[];
  since: string;
};

type Changed = { tree: TreeChanges; path: ChangedPath };

/** Some file systems do not distinguish letter case or forms of accents. */
const foldedPath = (path: string): string => path.normalize('NFC').toLowerCase();

type Place = { tree: Pick<TreeChanges, 'ignoresCase'>; path: string };

/** Whether two spellings name one file after a merge: a checkout that ignores case can have only one of them. */
export const isSameFile = (a: Place, b: Place): boolean =>
  a.path === b.path || ((a.tree.ignoresCase || b.tree.ignoresCase) && foldedPath(a.path) === foldedPath(b.path));

/** Overlaps of trees of one repository: one item for each path and set of trees, with its strongest kind; strongest first. */
export function overlapsOf(trees: readonly TreeChanges[]): OverlapFacts[] {
  const found: OverlapFacts[] = [];
  const byPath = new Map<string, Changed[]>();
  const ignoresCase = trees.some((tree) => tree.ignoresCase);
  for (const tree of trees) {
    for (const path of tree.paths) {
      if (path.behindSince !== null)
        found.push(overlapOf('behind', [{ tree, path }], later(path.since, path.behindSince)));
      const key = ignoresCase ? foldedPath(path.path) : path.path;
      const before = byPath.get(key);
      if (before) before.push({ tree, path });
      else byPath.set(key, [{ tree, path }]);
    }
  }
  for (const changed of byPath.values()) if (changed.length > 1) found.push(...sharedBy(changed));
  return found.sort(byStrength);
}

/**
 * Usually all spellings are one file. If case matters in only some of the trees, each spelling is handled separately.
 */
function sharedBy(changed: readonly Changed[]): OverlapFacts[] {
  const spellings = new Set(changed.map(({ path }) => path.path));
  const items = [...spellings].flatMap((spelling) => {
    const [first] = changed.filter(({ path }) => path.path === spelling);
    const group = first
      ? changed.filter(({ tree, path }) => isSameFile({ tree: first.tree, path: spelling }, { tree, path: path.path }))
      : [];
    // A tree that only changes the spelling of a file's name changes both spellings; that alone is not an overlap.
    const began = new Map<TreeChanges, string>();
    for (const { tree, path } of group) began.set(tree, earlier(began.get(tree) ?? path.since, path.since));
    if (began.size < 2) return [];
    // At the second of these instants, two trees had changed the path.
    const since = [...began.values()].sort()[1] ?? '';
    return [overlapOf(touches(group) ? 'same_lines' : 'same_file', group, since)];
  });
  const seen = new Set<string>();
  return items.filter(({ trees }) => {
    const key = trees.map(treeKey).join('\n');
    return !seen.has(key) && seen.add(key);
  });
}

const overlapOf = (kind: OverlapKind, changed: readonly Changed[], since: string): OverlapFacts => ({
  repository: changed[0]?.tree.repository ?? '',
  path: changed[0]?.path.path ?? '',
  kind,
  trees: [...new Set(changed.map(({ tree }) => tree))],
  since,
});

/** Whether any two of them change the same lines, or both create the file. */
function touches(changed: readonly Changed[]): boolean {
  return changed.some(({ tree, path: a }, at) =>
    changed.slice(at + 1).some(({ tree: other, path: b }) => {
      if (tree === other) return false;
      if (a.change === 'added' && b.change === 'added') return true;
      return a.in.some((one) => b.in.some(({ text, ranges }) => one.text === text && rangesTouch(one.ranges, ranges)));
    }),
  );
}

export const treeKey = ({ host, root }: Pick<TreeChanges, 'host' | 'root'>): string => `${host} ${root}`;

/** Stays the same for as long as the overlap lasts. */
export const overlapKey = ({ path, kind, trees }: OverlapFacts): string =>
  [kind, path, ...trees.map(treeKey).sort()].join('\n');

const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);

const byStrength = (a: OverlapFacts, b: OverlapFacts): number =>
  overlapKinds.indexOf(a.kind) - overlapKinds.indexOf(b.kind) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
