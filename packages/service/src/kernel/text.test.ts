import { expect, test } from 'vitest';
import { isFileName, nearest, trimEndOf, trimOf } from './text.ts';

test('a typo gets the most likely word as a suggestion', () => {
  expect(nearest('dependson', ['dependsOn', 'description', 'id'])).toBe('dependsOn');
  expect(nearest('titel', ['title', 'id'])).toBe('title');
});

test('a word that resembles no other gets no suggestion', () => {
  expect(nearest('frobnicate', ['title', 'id'])).toBeUndefined();
  expect(nearest('on', ['by', 'id'])).toBeUndefined();
  expect(nearest('kind', ['id', 'title'])).toBeUndefined();
});

test('characters are removed from the end, or from both ends, and nowhere else', () => {
  expect(trimEndOf('http://a/b//', '/')).toBe('http://a/b');
  expect(trimEndOf('///', '/')).toBe('');
  expect(trimOf('--a-b--', '-')).toBe('a-b');
  expect(trimOf('-_-', '-_')).toBe('');
  expect(trimOf('', '-')).toBe('');
});

test.each(['nul', 'CON', 'Aux.1', 'com1', 'LPT9.txt', 'run.', 'run..'])(
  '%s is no file name on every system',
  (name) => {
    expect(isFileName(name)).toBe(false);
  },
);

test.each(['null', 'console', 'run-1', 'a.nul', 'com10', 'r.1'])('%s is a file name on every system', (name) => {
  expect(isFileName(name)).toBe(true);
});
