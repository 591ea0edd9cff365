import { expect, test } from 'vitest';
import { parseOutline, usualOrder } from './parse-outline.ts';

const free = () => false;
const lines = (text: string, order: Parameters<typeof parseOutline>[1]) =>
  parseOutline(text, order, free).map(({ id, dependsOn }) => [id, dependsOn]);

test('bullets, numbers and check boxes are not part of a title; empty lines are left out', () => {
  const text = '- [ ] Rewrite the lexer\n\n2. Round like a bank\n* [x] Totals\r\nPlain';
  expect(parseOutline(text, 'none', free).map(({ title }) => title)).toEqual([
    'Rewrite the lexer',
    'Round like a bank',
    'Totals',
    'Plain',
  ]);
});

test('in a sequence each line waits for the one before it', () => {
  expect(lines('a\nb\nc', 'sequence')).toEqual([
    ['a', []],
    ['b', ['a']],
    ['c', ['b']],
  ]);
});

test('in an outline a line waits for the lines indented below it', () => {
  expect(lines('Release\n  Docs\n  Tests\n    Unit\nParty', 'indented')).toEqual([
    ['release', ['docs', 'tests']],
    ['docs', []],
    ['tests', ['unit']],
    ['unit', []],
    ['party', []],
  ]);
  expect(usualOrder('Release\n\tDocs')).toBe('indented');
  expect(usualOrder('Release\nDocs\n')).toBe('none');
});

test('two lines of one title, and a title that is taken, get ids of their own', () => {
  expect(parseOutline('Fix\nFix\nTest', 'none', (id) => id === 'test').map(({ id }) => id)).toEqual([
    'fix',
    'fix-2',
    'test-2',
  ]);
});
