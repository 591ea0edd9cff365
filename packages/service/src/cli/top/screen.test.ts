import { expect, test } from 'vitest';
import { afterKey, type Choice, detailsScreen, keysHelp, plainText, screenOf } from './screen.ts';
import type { Row, Section } from './sections.ts';

const rows = (count: number, word: string): Row[] =>
  Array.from({ length: count }, (_, index) => ({ text: `${word} ${index}`, tone: null, details: ['why', word] }));
const sections: Section[] = [
  { key: 'n', title: 'Needs you', rows: rows(2, 'need'), empty: 'Nothing needs you.' },
  { key: 'a', title: 'Sessions', rows: rows(40, 'session'), empty: 'No live sessions.' },
  { key: 'c', title: 'Claims', rows: [], empty: 'Nobody holds a node.' },
  { key: 'w', title: 'Ready work', rows: rows(100, 'node'), empty: 'Nothing is ready.' },
  { key: 'r', title: 'Runs', rows: rows(3, 'run'), empty: 'No runs yet.' },
];
const start: Choice = { section: 'n', row: 0, help: false, paused: false };
const texts = (choice: Choice, columns = 80, lines = 24) =>
  screenOf(sections, 'signalbox live', choice, { columns, rows: lines }).map(({ text }) => text);
const press = (keys: readonly string[]) => keys.reduce((choice, key) => afterKey(choice, key, sections), start);

test('a screen has exactly the rows and at most the columns of its terminal, and shows every section', () => {
  for (const [columns, lines] of [
    [80, 24],
    [200, 50],
    [30, 10],
    [10, 3],
  ] as const) {
    const shown = texts(start, columns, lines);
    expect(shown).toHaveLength(lines);
    for (const text of shown) expect(text.length).toBeLessThanOrEqual(columns);
  }
  const small = texts(start);
  for (const { title } of sections) expect(small.some((text) => text.includes(title))).toBe(true);
  expect(small).toContain('    Nobody holds a node.');
});

test('the chosen section gets the most rows and always shows the chosen row', () => {
  const shown = texts(press(['a', ...Array.from({ length: 30 }, () => 'down')]));
  expect(shown).toContain('  > session 30');
  expect(shown.filter((text) => text.includes('session ')).length).toBeGreaterThan(7);
  expect(shown.find((text) => text.startsWith('> Sessions'))).toMatch(/\(40\), \d+ not shown {2}\[a\]$/);
});

test('keys choose a section as on the page, the next or previous one, or a row, and never go out of range', () => {
  expect(press(['w', 'j', 'j', 'k'])).toMatchObject({ section: 'w', row: 1 });
  expect(press(['tab'])).toMatchObject({ section: 'a', row: 0 });
  expect(press(['backtab'])).toMatchObject({ section: 'r', row: 0 });
  expect(press(['up'])).toMatchObject({ row: 0 });
  expect(press(['down', 'down', 'down'])).toMatchObject({ row: 1 });
  expect(press(['c', 'down'])).toMatchObject({ section: 'c', row: 0 });
  expect(press(['x', 'escape'])).toEqual(start);
  expect(press(['space'])).toMatchObject({ paused: true });
});

test('the keys are explained on the screen', () => {
  expect(texts(press(['?'])).slice(-keysHelp.length)).toEqual(keysHelp);
});

test('details show how many lines do not fit', () => {
  const shown = detailsScreen(['a', 'b', 'c', 'd'], { columns: 40, rows: 3 });
  expect(shown.map(({ text }) => text)).toEqual(['a', 'b', '2 more lines; any key: back']);
});

test('without a terminal every row is a line under its section', () => {
  const text = plainText(sections.slice(0, 3), 'signalbox now');
  expect(text.split('\n').slice(0, 4)).toEqual(['signalbox now', 'Needs you: 2', '  need 0', '  need 1']);
  expect(text).toContain('Claims: 0\n  Nobody holds a node.');
});
