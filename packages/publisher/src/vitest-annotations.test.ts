import { expect, test } from 'vitest';
import { leftBy } from './vitest-annotations.ts';

test('an annotation becomes its file, or a text file named after its message', () => {
  const left = leftBy([
    { message: 'seen once\nand again', type: 'warning' },
    { message: 'the page', attachment: { path: '/tmp/page.PNG' } },
    { message: 'answer', attachment: { contentType: 'application/json', body: 'e30=' } },
    { message: 'log', attachment: { body: 'plain', bodyEncoding: 'utf-8' } },
  ]);
  expect(left).toEqual([
    { name: 'warning: seen once', mediaType: 'text/plain', body: 'seen once\nand again' },
    { name: 'the page', mediaType: 'image/png', path: '/tmp/page.PNG' },
    { name: 'answer', mediaType: 'application/json', body: Buffer.from('{}') },
    { name: 'log', mediaType: 'text/plain', body: Buffer.from('plain') },
  ]);
});
