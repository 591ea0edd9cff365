import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolderWatches } from './folder-watches.ts';

function watched() {
  const top = mkdtempSync(join(tmpdir(), 'signalbox-watches-'));
  const seen: string[] = [];
  const watches = createFolderWatches((paths) => seen.push(...paths));
  onTestFinished(() => {
    watches.close();
    rmSync(top, { recursive: true });
  });
  return { folder: join(top, 'sessions'), seen, watches };
}

test('a folder is read again once it is watched, because no event reports earlier changes', async () => {
  const { folder, seen, watches } = watched();
  watches.watchOnly([folder]);
  mkdirSync(folder);
  writeFileSync(join(folder, '1.json'), '{}');
  watches.watchOnly([folder]);
  await expect.poll(() => seen).toEqual([folder]);
  watches.watchOnly([folder]);
  writeFileSync(join(folder, '2.json'), '{}');
  await expect.poll(() => seen).toContain(join(folder, '2.json'));
  expect(seen.filter((path) => path === folder)).toHaveLength(1);
});

test('a folder that was removed and made again is looked at again, too', async () => {
  const { folder, seen, watches } = watched();
  mkdirSync(folder);
  watches.watchOnly([folder]);
  await expect.poll(() => seen).toEqual([folder]);
  rmSync(folder, { recursive: true });
  await expect.poll(() => seen.length).toBeGreaterThan(1);
  seen.length = 0;
  mkdirSync(folder);
  watches.watchOnly([folder]);
  await expect.poll(() => seen).toContain(folder);
});
