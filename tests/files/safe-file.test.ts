import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSafeFile, readFileStart, readWholeFile } from '../../packages/service/src/files/safe-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'safe-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string) => join(folder, name);
writeFileSync(path('text'), 'signal box');
symlinkSync(path('text'), path('link'));
execFileSync('mkfifo', [path('pipe')]);

test('a regular file is read whole or from its start, up to the bound', async () => {
  expect(await readWholeFile(path('text'), 10)).toBe('signal box');
  expect(await readFileStart(path('text'), 6)).toBe('signal');
  await expect(readWholeFile(path('text'), 9)).rejects.toThrow('larger than 9 bytes');
});

test('a link is followed only where the caller says so', async () => {
  expect(await readFileStart(path('link'), 100)).toBeNull();
  expect(await readFileStart(path('link'), 100, { follow: true })).toBe('signal box');
  await expect(readWholeFile(path('link'), 100)).rejects.toThrow('ELOOP');
});

test('a pipe, a folder and a missing file are refused at once', async () => {
  for (const name of ['pipe', '.', 'missing']) {
    expect(await readFileStart(path(name), 100)).toBeNull();
    await expect(readWholeFile(path(name), 100)).rejects.toThrow();
  }
  await expect(openSafeFile(path('pipe'))).rejects.toThrow('not a regular file');
});
