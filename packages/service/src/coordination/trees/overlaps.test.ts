import { expect, test } from 'vitest';
import type { ChangedPath, LineRange } from './changes.ts';
import { OverlapIndex } from './overlap-index.ts';
import { overlapsOf, type TreeChanges } from './overlaps.ts';

const at = (minute: number) => `2026-01-01T09:0${minute}:00.000Z`;
const changed = (
  path: string,
  ranges: LineRange[] | null = [[1, 2]],
  more: Partial<ChangedPath> = {},
): ChangedPath => ({
  path,
  change: 'modified',
  lines: 1,
  in: ranges === null ? [] : [{ text: 'base', ranges }],
  since: at(0),
  behindSince: null,
  ...more,
});
const tree = (root: string, paths: ChangedPath[], more: Partial<TreeChanges> = {}): TreeChanges => ({
  host: 'box',
  root,
  repository: 'acme/shop',
  branch: root,
  defaultBranch: 'main',
  ignoresCase: false,
  truncated: false,
  paths,
  ...more,
});
const kindsOf = (...trees: TreeChanges[]) =>
  overlapsOf(trees).map(({ kind, path, trees: of }) => [kind, path, of.length]);
const kindOf = (a: ChangedPath, b: ChangedPath) => kindsOf(tree('a', [a]), tree('b', [b]))[0]?.[0];

test('two trees that change one path overlap in the file, and in the lines where their hunks touch', () => {
  expect(kindOf(changed('x', [[0, 2]]), changed('x', [[5, 7]]))).toBe('same_file');
  expect(kindOf(changed('x', [[0, 6]]), changed('x', [[5, 7]]))).toBe('same_lines');
  expect(kindOf(changed('x', [[3, 5]]), changed('x', [[5, 7]]))).toBe('same_lines');
  expect(kindOf(changed('x', [[5, 5]]), changed('x', [[5, 5]]))).toBe('same_lines');
  expect(kindsOf(tree('a', [changed('x')]), tree('b', [changed('y')]))).toEqual([]);
});

test('a binary file overlaps as a file; one that both make, or one deletes, in its lines', () => {
  expect(kindOf(changed('x', null), changed('x'))).toBe('same_file');
  expect(kindOf(changed('x', null, { change: 'added' }), changed('x', null, { change: 'added' }))).toBe('same_lines');
  expect(kindOf(changed('x', [[0, 90]], { change: 'deleted' }), changed('x', [[40, 41]]))).toBe('same_lines');
});

test('lines are compared only in a version of the file that both know', () => {
  const older = changed('x', [[1, 2]]);
  const newer = changed('x', null, { in: [{ text: 'newer', ranges: [[1, 2]] }] });
  expect(kindOf(older, newer)).toBe('same_file');
  const both = { ...newer, in: [...newer.in, { text: 'base', ranges: [[8, 9]] as LineRange[] }] };
  expect(kindOf(older, both)).toBe('same_file');
  expect(kindOf({ ...older, in: [...older.in, { text: 'newer', ranges: [[2, 4]] }] }, both)).toBe('same_lines');
});

test('a tree that lacks a change of the default branch is behind, by itself', () => {
  const late = changed('x', [[0, 1]], { since: at(2), behindSince: at(5) });
  expect(overlapsOf([tree('a', [late]), tree('b', [changed('x', [[8, 9]])])])).toMatchObject([
    { kind: 'same_file', trees: [{ root: 'a' }, { root: 'b' }], since: at(2) },
    { kind: 'behind', trees: [{ root: 'a' }], since: at(5) },
  ]);
});

test('an overlap of three trees is one item that began with the second of them', () => {
  const trees = [1, 3, 5].map((minute) =>
    tree(`t${minute}`, [changed('x', [[minute, minute]], { since: at(minute) })]),
  );
  expect(overlapsOf(trees)).toMatchObject([{ kind: 'same_file', trees: [{}, {}, {}], since: at(3) }]);
});

test('two spellings of a path are one file if the tree does not distinguish them', () => {
  const [upper, lower] = [changed('src/Price.ts'), changed('src/price.ts')];
  expect(kindsOf(tree('a', [upper]), tree('b', [lower]))).toEqual([]);
  expect(kindsOf(tree('a', [upper], { ignoresCase: true }), tree('b', [lower]))).toEqual([
    ['same_lines', 'src/Price.ts', 2],
  ]);
  const accents = [changed('caf\u00e9'), changed('cafe\u0301')] as const;
  expect(kindsOf(tree('a', [accents[0]], { ignoresCase: true }), tree('b', [accents[1]]))).toHaveLength(1);
});

test('a tree that renames a file to another spelling does not overlap with itself, and once with another tree', () => {
  const renamed = tree('a', [changed('src/Price.ts', [], { since: at(1) }), changed('src/price.ts', [[1, 9]])], {
    ignoresCase: true,
  });
  expect(overlapsOf([renamed])).toEqual([]);
  const other = tree('b', [changed('src/price.ts', [[3, 3]], { since: at(4) })], { ignoresCase: true });
  expect(overlapsOf([renamed, other])).toMatchObject([
    { kind: 'same_lines', trees: [{ root: 'a' }, { root: 'b' }], since: at(4) },
  ]);
});

test('an index announces what began and ended, and computes only repositories in which a tree changed', () => {
  const announced: unknown[] = [];
  let trees = [tree('a', [changed('x')])];
  const index = new OverlapIndex(() => trees, { announce: (message) => announced.push(message.data) });
  index.refresh();
  trees = [...trees, tree('b', [changed('x')])];
  index.refresh();
  expect(announced.at(-1)).toEqual({ repository: 'acme/shop', paths: ['x'] });
  expect(index.ofTree({ host: 'box', root: 'b' })).toMatchObject([{ kind: 'same_lines' }]);
  expect(index.othersChanging({ host: 'box', root: 'a' }, 'x')).toMatchObject([{ root: 'b' }]);
  const before = index.all()[0];
  trees = [...trees, tree('z', [], { repository: 'acme/other' })];
  index.refresh();
  expect(index.all()[0]).toBe(before);
  trees = [];
  index.refresh();
  expect(index.all()).toEqual([]);
});
