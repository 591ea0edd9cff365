import { expect, test } from 'vitest';
import { type DiffRow, diffRows, visible } from './diff-rows.ts';

const signs = { same: ' ', expected: '-', actual: '+' } as const;
const told = (rows: readonly DiffRow[]) =>
  rows.map((row) =>
    row.kind === 'hidden'
      ? `(${row.lines.length})`
      : signs[row.kind] + row.parts.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(''),
  );

test('lines that stand for each other show the words that differ', () => {
  expect(told(diffRows('line one\nline two', 'line one\nline 2'))).toEqual([' line one', '-line [two]', '+line [2]']);
});

test('objects are compared member by member, whatever the order of their members', () => {
  const rows = told(diffRows('{"total":12,"items":["a"]}', '{"items":["a"],"total":13}'));
  expect(rows).toEqual([' {', '   "items": [', '     "a"', '   ],', '-  "total": [12]', '+  "total": [13]', ' }']);
});

test('what is the same far from any difference is hidden', () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`);
  const other = lines.toSpliced(100, 1, 'another');
  const rows = told(diffRows(lines.join('\n'), other.join('\n')));
  expect(rows[0]).toBe('(97)');
  expect(rows.at(-1)).toBe('(96)');
  expect(rows).toHaveLength(10);
});

test('a line more or less is told as such', () => {
  expect(told(diffRows('a\nb', 'a\nb\nc'))).toEqual([' a', ' b', '+c']);
  expect(told(diffRows('a', ''))).toEqual(['-[a]', '+']);
});

test('white space that differs is visible', () => {
  expect(told(diffRows('a b', 'a  b'))).toEqual(['-a[ ]b', '+a[  ]b']);
  expect(visible(' \t\u00a0')).toBe('·→\t⍽');
});

test('texts that are too different to compare in time are shown whole', () => {
  const text = (seed: number) => Array.from({ length: 4_000 }, (_, index) => String((index * seed) % 7919)).join('\n');
  expect(diffRows(text(31), text(57)).length).toBeGreaterThan(10);
});
