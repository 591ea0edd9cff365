import { expect, test } from 'vitest';
import { type Attachment, arrangeAttachments } from './arrange-attachments.ts';

const file = (name: string, mediaType: string, stored = true): Attachment => ({
  attempt: 1,
  name,
  mediaType,
  size: 1,
  sha256: name,
  stored,
  reason: null,
});

test('pictures of one comparison belong together, other pictures, films and files stand alone', () => {
  const png = 'image/png';
  const arranged = arrangeAttachments([
    file('home-expected.png', png),
    file('home-actual.png', png),
    file('home-diff.png', png),
    file('screenshot', png),
    file('alone-expected.png', png),
    file('video', 'video/webm'),
    file('trace', 'application/zip'),
    file('error-context', 'text/markdown'),
    file('note', 'text/plain'),
    file('large', png, false),
  ]);
  expect(arranged.comparisons).toMatchObject([{ name: 'home', difference: { name: 'home-diff.png' } }]);
  expect(arranged.pictures.map(({ name }) => name)).toEqual(['screenshot', 'alone-expected.png']);
  expect(arranged.films.map(({ name }) => name)).toEqual(['video']);
  expect(arranged.texts.map(({ name }) => name)).toEqual(['note']);
  expect(arranged.files.map(({ name }) => name)).toEqual(['trace', 'error-context', 'large']);
});
