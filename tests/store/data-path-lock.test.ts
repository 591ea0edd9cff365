import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DataPathInUse, DataPathUnusable, lockDataPath } from '../../packages/service/src/store/data-path.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-path-'));
afterAll(() => rmSync(folder, { recursive: true }));
const since = '2026-01-01T09:00:00.000Z';

test('a data path is made for its owner alone and names it', () => {
  const path = join(folder, 'a', 'b');
  const held = lockDataPath(path, since);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(JSON.parse(readFileSync(join(path, 'owner.json'), 'utf8'))).toMatchObject({ pid: process.pid, since });
  held.release();
});

test('a second process is refused with the name of the first, until that releases the lock', () => {
  const path = join(folder, 'c');
  const held = lockDataPath(path, since);
  expect(() => lockDataPath(path, since)).toThrow(DataPathInUse);
  expect(() => lockDataPath(path, since)).toThrow(`process ${process.pid}`);
  held.release();
  lockDataPath(path, since).release();
});

test('a damaged lock, or one that is not a file, is reported with what to do, and stays as it is', () => {
  const path = join(folder, 'd');
  mkdirSync(path);
  writeFileSync(join(path, 'lock.sqlite'), Buffer.alloc(4096));
  expect(() => lockDataPath(path, since)).toThrow(DataPathUnusable);
  expect(() => lockDataPath(path, since)).toThrow(
    /\(file is not a database\)\. Make sure no Signalbox uses it, then remove/,
  );
  rmSync(join(path, 'lock.sqlite'));
  mkdirSync(join(path, 'lock.sqlite'));
  expect(() => lockDataPath(path, since)).toThrow(/lock\.sqlite is a folder, not a regular file\. Move it away/);
});
