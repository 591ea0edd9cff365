import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasStrace, readTrace } from '../faults/traced.ts';
import { smallRun } from '../recorded-run.ts';
import { cli } from '../spawn.ts';
import { start } from '../start.ts';

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();

/** What a command had flushed when it reported that it was done. */
function flushedBy(home: string, words: readonly string[], says: string): string[] {
  const file = join(home, 'trace.txt');
  const strace = ['-f', '-y', '-s', '200', '-e', 'trace=fsync,fdatasync,write', '-o', file];
  const env = { PATH: process.env.PATH, HOME: home };
  const { status, stderr } = spawnSync('strace', [...strace, process.execPath, cli, ...words], { cwd: home, env });
  expect([status, String(stderr)]).toEqual([0, '']);
  const done = readTrace(readFileSync(file, 'utf8'));
  const told = done.findIndex(({ call, text }) => call === 'write' && text.includes(says));
  expect(told).toBeGreaterThan(0);
  return done.slice(0, told).flatMap(({ call, path }) => (call.endsWith('sync') ? [path] : []));
}

test.runIf(hasStrace)(
  'a backup, packed or not, and what is restored are on the disk before they are told of',
  async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-flushed-')));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    await using service = await start({ home });
    await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'n' }] });
    await service.console('POST', '/api/ingest', { events: smallRun('r1') });
    const from = `--Service:DataPath=${service.dataPath}`;

    const target = join(home, 'monday');
    const flushed = flushedBy(home, ['backup', target, from], 'Backed up');
    const files = filesIn(target);
    expect(files).toEqual(expect.arrayContaining(['backup.json', 'runs/r1.ndjson', 'signalbox.sqlite']));
    for (const file of files) expect(flushed).toContain(`${target}.partial/${file}`);
    expect(flushed).toContain(home);

    expect(flushedBy(home, ['backup', `${target}.tar.gz`, from], 'Backed up')).toContain(`${target}.tar.gz.new`);

    const to = join(home, 'restored');
    const restored = flushedBy(home, ['restore', target, `--Service:DataPath=${to}`], 'Restored');
    for (const file of files) expect(restored).toContain(`${to}/restoring/${file}`);
    expect(restored).toContain(to);
  },
);
