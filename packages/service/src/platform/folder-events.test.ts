import { expect, test } from 'vitest';
import { silentFileSystem } from './folder-events.ts';

const notThere = () => {
  throw new Error('ENOENT');
};

test.each([
  ['a Windows drive in WSL', 0x01021997, '9p'],
  ['a network folder', 0x6969, 'nfs'],
  ['a Windows share, whose number reads negative', 0xff534d42 | 0, 'smb'],
  ['a folder shared with a container', 0x65735546, 'fuse'],
  ['a local disk', 0xef53, null],
])('whether changes are reported is known for %s', (_title, type, kind) => {
  expect(silentFileSystem('/home/ada', () => ({ type }))).toBe(kind);
});

test('a folder that does not exist yet is judged by its parent', () => {
  expect(silentFileSystem('/mnt/c/none', (path) => (path === '/mnt/c' ? { type: 0x01021997 } : notThere()))).toBe('9p');
  expect(silentFileSystem('/none', notThere)).toBeNull();
});
