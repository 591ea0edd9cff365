import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test('a typo is answered with the word that was most likely meant', () => {
  expect(nearest('dependson', ['dependsOn', 'description', 'id'])).toBe('dependsOn');
  expect(nearest('titel', ['title', 'id'])).toBe('title');
});

test('a word that is near nothing is answered with nothing', () => {
  expect(nearest('frobnicate', ['title', 'id'])).toBeUndefined();
  expect(nearest('on', ['by', 'id'])).toBeUndefined();
  expect(nearest('kind', ['id', 'title'])).toBeUndefined();
});
