import { expect, test } from 'vitest';
import { type Bar, packed } from './bars.ts';

const bar = (from: number, to: number): Bar => ({
  uid: `${from}-${to}`,
  label: '',
  from,
  to,
  outcome: 'CleanPass',
  open: false,
});

test('what ran one after the other shares a row, what ran at the same time does not', () => {
  const rows = packed([bar(0, 10), bar(5, 12), bar(10, 20), bar(12, 15)]);
  expect(rows.map((row) => row.map(({ uid }) => uid))).toEqual([
    ['0-10', '10-20'],
    ['5-12', '12-15'],
  ]);
});
