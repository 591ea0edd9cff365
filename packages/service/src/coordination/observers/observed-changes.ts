import { type ChangedPath, maxPaths } from '../trees/changes.ts';
import type { TreeChanges } from '../trees/overlaps.ts';
import type { ObservationBatch, ObservedTreeChanges } from './contract.ts';

/** The maximum number of changed paths stored for one observer; it sends no more. */
export const maxPathsOfObserver = 20_000;
/** The maximum for all observers together: comparing this many takes about 100 ms. */
export const maxPathsOfAll = 100_000;

type Kept = Map<string, TreeChanges>;

export const countPaths = (kept: ReadonlyMap<string, TreeChanges>): number =>
  [...kept.values()].reduce((sum, { paths }) => sum + paths.length, 0);

/** Applies the changed paths of a message. True if anything differs from before. */
export function applyTreeChanges(kept: Kept, host: string, batch: ObservationBatch, mostPaths: number): boolean {
  const { changes = [], goneChanges = [], whole = false } = batch;
  const known = new Map(kept);
  if (whole) kept.clear();
  for (const root of goneChanges) kept.delete(root);
  let room = Math.max(0, mostPaths - countPaths(kept));
  for (const sent of changes) {
    const before = kept.get(sent.root);
    const merged = withMessage(before, host, sent, room);
    room -= merged.paths.length - (before?.paths.length ?? 0);
    kept.set(sent.root, merged);
  }
  return changes.length > 0 || known.size !== kept.size;
}

/** A tree beyond the limits is truncated and marked. */
function withMessage(
  before: TreeChanges | undefined,
  host: string,
  { paths: sent, gonePaths = [], ...tree }: ObservedTreeChanges,
  room: number,
): TreeChanges {
  const paths = new Map<string, ChangedPath>(before?.paths.map((one) => [one.path, one]));
  for (const path of gonePaths) paths.delete(path);
  const most = Math.min(maxPaths, (before?.paths.length ?? 0) + room);
  let isCut = false;
  for (const one of sent) {
    if (paths.has(one.path) || paths.size < most) paths.set(one.path, one);
    else isCut = true;
  }
  const sorted = [...paths.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { ...tree, host, truncated: tree.truncated || isCut, paths: sorted };
}
