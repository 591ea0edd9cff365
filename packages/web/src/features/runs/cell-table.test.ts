import { expect, test } from 'vitest';
import { arrangeCells, isPassing } from './cell-table.ts';

const cell = (name: string, rowIndex: number, more: object = {}) => ({ name, status: 'success', rowIndex, ...more });

test('cells outside a table stand alone, those of a table by their row and in the columns that the step told', () => {
  const { loose, table } = arrangeCells(
    ['item', 'count'],
    [
      cell('count', 1, { status: 'failed', expected: '3', actual: '4' }),
      cell('total', -1, { expected: '5', actual: '5' }),
      cell('count', 0, { expected: '2', actual: '2' }),
      cell('price', 0, { value: '10' }),
    ],
  );
  expect(loose.map(({ name }) => name)).toEqual(['total']);
  expect(table.columns).toEqual(['item', 'count', 'price']);
  expect(table.rows.map(({ index }) => index)).toEqual([0, 1]);
  expect(table.rows[1]?.cells.get('count')).toMatchObject({ expected: '3', actual: '4' });
});

test('a cell that judges its row is no column', () => {
  const { table } = arrangeCells(
    [],
    [cell('item', 0, { value: 'pear' }), cell('missing-row', 0, { status: 'failed' })],
  );
  expect(table.columns).toEqual(['item']);
  expect(table.rows[0]?.verdict).toMatchObject({ name: 'missing-row' });
});

test('without rows there is no table, whatever columns were told; a cell that tells of nothing bad is good', () => {
  expect(arrangeCells(['item'], [{ name: 'total' }]).table).toEqual({ columns: [], rows: [] });
  expect([{}, { status: 'ok' }, { status: 'success' }].every(isPassing)).toBe(true);
  expect([{ status: 'failed' }, { status: 'error' }, { status: 'missing' }].some(isPassing)).toBe(false);
});
