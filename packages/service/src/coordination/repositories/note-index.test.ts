import { expect, test } from 'vitest';
import { NoteIndex } from './note-index.ts';

const indexOf = (texts: readonly string[], budgets?: ConstructorParameters<typeof NoteIndex>[0]) => {
  const index = new NoteIndex(budgets);
  for (const [at, text] of texts.entries()) index.put(`n${at}`, [{ text, more: 1 }]);
  return index;
};
const found = (index: NoteIndex, text: string) =>
  index
    .search(text)
    .sort((a, b) => b.score - a.score)
    .map(({ id }) => id);

test('words as written come first, then those that begin so, then those with a letter wrong', () => {
  const index = indexOf(['the generator', 'generators of code', 'a genrator', 'nothing']);
  expect(found(index, 'generator')).toEqual(['n0', 'n1', 'n2']);
  expect(found(index, 'Generator, THE')).toEqual(['n0']);
  expect(found(index, 'ge')).toEqual(expect.arrayContaining(['n0', 'n1', 'n2']));
  expect(found(index, 'ge the')).toEqual([]);
  expect(found(index, 'enerator')).toContain('n0');
  expect(found(index, ' ,.')).toEqual([]);
});

test('a rare word and one in the topic weigh more', () => {
  const index = indexOf(['parser', 'parser and lexer', 'parser']);
  index.put('topic', [
    { text: 'parser', more: 2 },
    { text: 'something', more: 1 },
  ]);
  expect(found(index, 'parser')[0]).toBe('topic');
  expect(found(index, 'parser lexer')).toEqual(['n1']);
});

test('what was replaced or removed is not found, however often that happened', () => {
  const index = indexOf([]);
  for (let round = 0; round < 3_000; round += 1)
    index.put(`id${round % 3}`, [{ text: `word${round} lasting`, more: 1 }]);
  expect(found(index, 'lasting').sort()).toEqual(['id0', 'id1', 'id2']);
  expect(found(index, 'word2999')).toContain('id2');
  index.remove('id2');
  expect(found(index, 'lasting').sort()).toEqual(['id0', 'id1']);
});

test('a search looks at so many words and places and no more, and finds the words as written all the same', () => {
  const many = Array.from({ length: 500 }, (_, at) => `abc${at} abd${at} shared`);
  const index = indexOf([...many, 'abc here'], { words: 50, comparisons: 10, places: 20 });
  expect(found(index, 'abc')[0]).toBe('n500');
  expect(found(index, 'abc').length).toBeLessThanOrEqual(20);
  expect(found(index, 'shared').length).toBeLessThanOrEqual(20);
});

test('a text has so many words and no more, each of so many letters', () => {
  const index = indexOf([`${Array.from({ length: 5_000 }, (_, at) => `w${at}`).join(' ')} endmarker`]);
  expect([found(index, 'w1999'), found(index, 'endmarker')]).toEqual([['n0'], []]);
  const long = indexOf(['x'.repeat(100)]);
  expect(found(long, 'x'.repeat(60))).toEqual(['n0']);
});
