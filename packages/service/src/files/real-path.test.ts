import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { asSpelled, isInFolder, realPath, type SpellingFacts } from './real-path.ts';

function linkedFolder() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  onTestFinished(() => rmSync(top, { recursive: true }));
  mkdirSync(join(top, 'data'));
  symlinkSync(join(top, 'data'), join(top, 'link'));
  return top;
}

test('a path has one spelling, even if part of it does not exist yet', () => {
  const top = linkedFolder();
  expect(realPath(join(top, 'link'))).toBe(join(top, 'data'));
  expect(realPath(join(top, 'link/a/b'))).toBe(join(top, 'data/a/b'));
  expect(realPath('/none/of/this')).toBe('/none/of/this');
});

test('a path inside a folder is recognised in any spelling, and a name with the same prefix is not', () => {
  const top = linkedFolder();
  expect(isInFolder(join(top, 'link/backup'), join(top, 'data'))).toBe(true);
  expect(isInFolder(join(top, 'data'), join(top, 'link'))).toBe(true);
  expect(isInFolder(join(top, 'data-backup'), join(top, 'data'))).toBe(false);
});

/** A case-sensitive or case-insensitive disk with these paths. */
const disk = (paths: readonly string[], isExact = false): SpellingFacts => {
  const key = (path: string) => (isExact ? path : path.toLowerCase());
  const ids = new Map(paths.map((path, index) => [key(path), String(index)]));
  return {
    idOf: (path) => ids.get(key(path)) ?? null,
    names: (folder) => paths.filter((path) => key(dirname(path)) === key(folder)).map((path) => basename(path)),
  };
};
const paths = ['/Users', '/Users/ada', '/Users/ada/Code', '/Users/ada/Code/Straße', '/Users/ada/Code/42'];

test.each([
  ['as they were given', '/users/ADA/code', '/Users/ada/Code'],
  ['as they are, where they are spelled so', '/Users/ada/Code', '/Users/ada/Code'],
  ['also behind a name without letters', '/USERS/ada/code/42', '/Users/ada/Code/42'],
  ['also with letters that have no other case alone', '/users/ada/code/straße', '/Users/ada/Code/Straße'],
])('on a case-insensitive file system, names are spelled %s', (_how, path, spelled) => {
  expect(asSpelled(path, disk(paths))).toBe(spelled);
});

test('on a case-sensitive file system, spelling is unchanged', () => {
  const both = disk(['/Data', '/data', '/Data/a', '/data/A'], true);
  expect(['/Data/a', '/data/A', '/Data'].map((path) => asSpelled(path, both))).toEqual(['/Data/a', '/data/A', '/Data']);
});
