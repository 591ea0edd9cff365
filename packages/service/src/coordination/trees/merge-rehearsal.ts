import type { MergeRehearsal } from './contract.ts';
import { type OverlapFacts, type TreeChanges, treeKey } from './overlaps.ts';

export type TreePair = readonly [TreeChanges, TreeChanges];
export type Rehearsed = Pick<MergeRehearsal, 'result' | 'reason' | 'conflicts'> & { uncommitted: readonly number[] };

/** Maximum number of merges rehearsed in one call. */
export const maxPairs = 20;
export const maxRehearsalMs = 30_000;

/** Pairs of trees that overlap. If several are named, pairs among those; if one is named, that tree with each one it overlaps. */
export function pairsToRehearse(
  trees: readonly TreeChanges[],
  overlaps: readonly OverlapFacts[],
  isNamed: ((tree: TreeChanges) => boolean) | null,
): TreePair[] {
  const named = isNamed ? trees.filter(isNamed) : [];
  if (named.length > 1) return pairsAmong(named).filter(([a, b]) => isOneRepository(a, b));
  const [only] = named;
  const pairs = new Map<string, TreePair>();
  for (const overlap of overlaps)
    for (const pair of pairsAmong(overlap.trees))
      if (!isNamed || (only && pair.some((tree) => treeKey(tree) === treeKey(only))))
        pairs.set(pair.map(treeKey).sort().join('\n'), pair);
  return [...pairs.values()];
}

const isOneRepository = (a: TreeChanges, b: TreeChanges): boolean =>
  a.repository.toLowerCase() === b.repository.toLowerCase();

const pairsAmong = (trees: readonly TreeChanges[]): TreePair[] =>
  trees.flatMap((one, at) => trees.slice(at + 1).map((other) => [one, other] as const));

/** `git merge-tree --write-tree -z --name-only --no-messages`: the tree, then each file that conflicts. */
export function conflictsIn(output: string): string[] {
  const [, ...paths] = output.split('\0');
  return [...new Set(paths.filter((path) => path !== ''))];
}

/** `git version 2.39.5 (Apple Git-154)` */
export function canRehearse(version: string): boolean {
  const [, major = 0, minor = 0] = /(\d{1,4})\.(\d{1,4})/.exec(version)?.map(Number) ?? [];
  return major > 2 || (major === 2 && minor >= 38);
}
