import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFolderWatches } from '../../packages/service/src/coordination/agents/io/folder-watches.ts';
import { rounds } from '../rounds.ts';

/** Runs a command in its own namespace, where the system has exactly that many watches. */
const within = (watches: number, command: string) =>
  spawnSync('unshare', ['-Ur', 'sh', '-c', `echo ${watches} > /proc/sys/user/max_inotify_watches && ${command}`], {
    encoding: 'utf8',
  });
const canLimit = process.platform === 'linux' && within(5, 'true').status === 0;
if (!canLimit)
  process.stdout.write('watches cannot be taken away here: a folder that cannot be watched stands for it\n');

test.runIf(canLimit)('without free file watches a system is polled, and the source reports it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-watches-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(import.meta.dirname, 'follow-many.ts');
  const projects = rounds(300, 5_000);
  const run = (watches: number) => within(watches, `"${process.execPath}" "${script}" "${folder}" ${projects}`);
  const none = run(1);
  expect(none.stderr).toBe('');
  expect(JSON.parse(none.stdout)).toEqual({
    ok: true,
    detail: expect.stringMatching(/not watched \(ENOSPC\), polled/),
  });
  const plenty = run(100_000);
  expect(JSON.parse(plenty.stdout)).toMatchObject({ ok: true, detail: null });
});

test.runIf(process.platform === 'linux')('a folder that is removed and made again is watched again', async () => {
  const top = mkdtempSync(join(tmpdir(), 'signalbox-watches-'));
  const folder = join(top, 'sessions');
  const heard = new Set<string>();
  const wakeUps = createFolderWatches((paths) => {
    for (const path of paths) heard.add(path);
  });
  onTestFinished(() => {
    wakeUps.close();
    rmSync(top, { recursive: true, force: true });
  });
  const made = () => {
    mkdirSync(folder, { recursive: true });
    wakeUps.watchOnly([folder]);
  };
  made();
  rmSync(folder, { recursive: true });
  await expect.poll(() => heard.has(join(folder, 'sessions'))).toBe(true);
  made();
  writeFileSync(join(folder, '7.json'), '{}');
  await expect.poll(() => heard.has(join(folder, '7.json'))).toBe(true);
});
