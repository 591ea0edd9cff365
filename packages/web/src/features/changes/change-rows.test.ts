import { expect, test } from 'vitest';
import type { Overlap, RepositoryChanges } from '../../live/wire.ts';
import { adviceFor, changeRows, changeText, rowsShown } from './change-rows.ts';

const file = (path: string, more: object = {}) => ({
  ...{ path, change: 'modified' as const, lines: 3, ranges: [{ after: 1, to: 4 }], behind: false },
  ...more,
});
const tree = (name: string, ...files: ReturnType<typeof file>[]): RepositoryChanges['trees'][number] => ({
  ...{ host: 'box', root: `/work/${name}`, branch: `${name}-branch`, sessions: [name], claims: [`shop/${name}`] },
  ...{ agents: [name], tools: ['claude-code'], changesTruncated: false, filesTotal: files.length, files },
});
const trees = [
  tree('ada', file('a.ts'), file('z.ts', { behind: true }), file('m.ts')),
  tree('bob', file('m.ts'), file('k.ts'), file('b.png', { lines: null, ranges: [] })),
];
const overlap = (path: string, kind: Overlap['kind'], ...of: RepositoryChanges['trees']): Overlap => ({
  ...{ repository: 'acme/shop', path, kind, since: '2026-01-01T09:00:00Z' },
  trees: of.map(({ host, root, branch, sessions, claims }) => ({ host, root, branch, sessions, claims })),
});
const changes = { repository: 'acme/shop', defaultBranch: 'main', trees };

test('what will collide is on top, by how badly, then every path in its order', () => {
  const rows = changeRows(changes, [
    overlap('z.ts', 'behind', ...trees.slice(0, 1)),
    overlap('m.ts', 'same_lines', ...trees),
  ]);
  expect(rows.map(({ path }) => path)).toEqual(['m.ts', 'z.ts', 'a.ts', 'b.png', 'k.ts']);
  expect(rowsShown(rows, 'overlaps').map(({ path }) => path)).toEqual(['m.ts']);
  expect(rowsShown(rows, 'behind').map(({ path }) => path)).toEqual(['z.ts']);
  const [first] = rows;
  expect(first && [...first.files.keys()]).toEqual(['box /work/ada', 'box /work/bob']);
  expect(first && adviceFor(first, trees)).toContain(
    'shop/ada (ada) and shop/bob (bob) change the same lines of m.ts.',
  );
});

test('two spellings that are one file are one row', () => {
  const both = [tree('ada', file('Src/Price.ts')), tree('bob', file('src/price.ts'), file('src/cart.ts'))];
  const rows = changeRows({ ...changes, trees: both }, [overlap('Src/Price.ts', 'same_lines', ...both)]);
  expect(rows.map(({ path, files }) => [path, [...files.keys()]])).toEqual([
    ['Src/Price.ts', ['box /work/ada', 'box /work/bob']],
    ['src/cart.ts', ['box /work/bob']],
  ]);
  expect(changeRows({ ...changes, trees: both }, [])).toHaveLength(3);
});

test('a cell says lines, or what else happened to the file', () => {
  expect(changeText(file('a'))).toBe('3');
  expect(changeText(file('a', { change: 'added', lines: 9 }))).toBe('new, 9');
  expect(changeText(file('a', { change: 'added', lines: null }))).toBe('new');
  expect(changeText(file('a', { lines: null, ranges: [] }))).toBe('binary');
  expect(changeText(file('a', { change: 'deleted' }))).toBe('deleted');
});

test('40 trees with 5,000 paths become rows without a search for each', () => {
  const many = Array.from({ length: 40 }, (_, at) =>
    tree(`t${at}`, ...Array.from({ length: 5_000 }, (_, path) => file(`src/${at}/${path}.ts`))),
  );
  expect(changeRows({ ...changes, trees: many }, [])).toHaveLength(200_000);
});
