import { expect, test } from 'vitest';
import { canRehearse, conflictsIn, pairsToRehearse } from './merge-rehearsal.ts';
import type { OverlapFacts, TreeChanges } from './overlaps.ts';

const tree = (root: string, repository = 'acme/shop'): TreeChanges => ({
  ...{ host: 'box', root, repository, branch: root, defaultBranch: 'main' },
  ...{ ignoresCase: false, paths: [], truncated: false },
});
const [a, b, c] = [tree('a'), tree('b'), tree('c')];
const overlap = (...trees: TreeChanges[]): OverlapFacts => {
  return { repository: 'acme/shop', path: 'x', kind: 'same_file', trees, since: '' };
};
const rootsOf = (pairs: ReturnType<typeof pairsToRehearse>) => pairs.map((pair) => pair.map(({ root }) => root).join());

test('every pair of trees that overlap is rehearsed once, or those that are named', () => {
  const overlaps = [overlap(a, b), overlap(b, a), overlap(a, b, c), overlap(c)];
  expect(rootsOf(pairsToRehearse([a, b, c], overlaps, null))).toEqual(['a,b', 'a,c', 'b,c']);
  expect(rootsOf(pairsToRehearse([a, b, c], overlaps, ({ root }) => root === 'c'))).toEqual(['a,c', 'b,c']);
  expect(rootsOf(pairsToRehearse([a, b, c], [], ({ root }) => root !== 'c'))).toEqual(['a,b']);
  expect(pairsToRehearse([a, tree('d', 'acme/other')], [], () => true)).toEqual([]);
});

test('the answer of git names each file that conflicts once', () => {
  expect(conflictsIn('1234\0')).toEqual([]);
  expect(conflictsIn('1234\0src/price.ts\0a b\0src/price.ts\0')).toEqual(['src/price.ts', 'a b']);
});

test('git rehearses a merge from 2.38 on', () => {
  const versions = [
    'git version 2.39.5',
    'git version 2.38.0.windows.1',
    'git version 3.0',
    'git version 2.37.9',
    'none',
  ];
  expect(versions.map(canRehearse)).toEqual([true, true, true, false, false]);
});
