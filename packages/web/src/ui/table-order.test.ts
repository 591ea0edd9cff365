import { expect, test } from 'vitest';
import { nextOrder, orderRows } from './table-order.ts';

type Row = { name: string; size: number | null };
const columns = [
  { id: 'name', sort: ({ name }: Row) => name },
  { id: 'size', sort: ({ size }: Row) => size, descendingFirst: true },
];
const rows = [
  { name: 'repo-10', size: null },
  { name: 'repo-2', size: 5 },
  { name: 'Repo-1', size: 9 },
];
const names = (list: readonly Row[]) => list.map(({ name }) => name);

test('numbers in names count as numbers, and what has no value comes last in both directions', () => {
  expect(names(orderRows(rows, columns, null))).toEqual(['repo-10', 'repo-2', 'Repo-1']);
  expect(names(orderRows(rows, columns, { column: 'name', descending: false }))).toEqual([
    'Repo-1',
    'repo-2',
    'repo-10',
  ]);
  expect(names(orderRows(rows, columns, { column: 'size', descending: false }))).toEqual([
    'repo-2',
    'Repo-1',
    'repo-10',
  ]);
  expect(names(orderRows(rows, columns, { column: 'size', descending: true }))).toEqual([
    'Repo-1',
    'repo-2',
    'repo-10',
  ]);
  expect(names(orderRows(rows, columns, { column: 'gone', descending: true }))).toEqual(names(rows));
});

test('a head sorts, turns round, and gives the order of the list back', () => {
  const size = { id: 'size', descendingFirst: true };
  const once = nextOrder(null, size);
  expect(once).toEqual({ column: 'size', descending: true });
  expect(nextOrder(once, size)).toEqual({ column: 'size', descending: false });
  expect(nextOrder(nextOrder(once, size), size)).toBeNull();
  expect(nextOrder(once, { id: 'name' })).toEqual({ column: 'name', descending: false });
});
