import { expect, test } from 'vitest';
import { trimEndOf, trimOf } from './trim.ts';

test('characters are taken from the end, or from both ends, and from nowhere else', () => {
  expect(trimEndOf('http://a/b//', '/')).toBe('http://a/b');
  expect(trimEndOf('///', '/')).toBe('');
  expect(trimOf('--a-b--', '-')).toBe('a-b');
  expect(trimOf('-_-', '-_')).toBe('');
  expect(trimOf('', '-')).toBe('');
});
