import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isInFolder, realPath } from './real-path.ts';

function linkedFolder() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-')));
  onTestFinished(() => rmSync(top, { recursive: true }));
  mkdirSync(join(top, 'data'));
  symlinkSync(join(top, 'data'), join(top, 'link'));
  return top;
}

test('a path has one spelling, also where a part of it is not there yet', () => {
  const top = linkedFolder();
  expect(realPath(join(top, 'link'))).toBe(join(top, 'data'));
  expect(realPath(join(top, 'link/a/b'))).toBe(join(top, 'data/a/b'));
  expect(realPath('/none/of/this')).toBe('/none/of/this');
});

test('what lies in a folder is found by any of its spellings, and a name that only begins alike is not', () => {
  const top = linkedFolder();
  expect(isInFolder(join(top, 'link/backup'), join(top, 'data'))).toBe(true);
  expect(isInFolder(join(top, 'data'), join(top, 'link'))).toBe(true);
  expect(isInFolder(join(top, 'data-backup'), join(top, 'data'))).toBe(false);
});
