import { createHook } from 'node:async_hooks';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { manifestsIn, trailersIn } from '../../packages/service/src/coordination/evidence/io/clone-contents.ts';
import { git, gitRecords } from '../../packages/service/src/files/git.ts';
import { cloneIn } from '../evidence-clone.ts';
import { isLong } from '../rounds.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-git-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

test('a clone configured to fetch missing objects by a command runs no command', async () => {
  const { folder, git: author, write } = cloneIn(home);
  write('package.json', '{}');
  author('commit', '-qm', 'Begin');
  const blob = author('rev-parse', 'HEAD:package.json');
  const trap = join(home, 'trapped');
  for (const [key, value] of [
    ['remote.origin.url', `ext::sh -c touch% ${trap}`],
    ['remote.origin.promisor', 'true'],
    ['extensions.partialClone', 'origin'],
    ['core.repositoryformatversion', '1'],
    ['protocol.ext.allow', 'always'],
    ['core.fsmonitor', `touch ${trap}`],
    ['core.pager', `touch ${trap}`],
    ['gpg.program', `touch ${trap}`],
    ['log.showSignature', 'true'],
  ] as const)
    author('config', key, value);
  rmSync(join(folder, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
  expect(await git(folder, ['show', 'HEAD:package.json'])).toBeUndefined();
  expect(await git(folder, ['fetch', 'origin'])).toBeUndefined();
  expect(await git(folder, ['log', '-1', '--format=%s'])).toBe('Begin\n');
  expect(existsSync(trap)).toBe(false);
});

test('what the service was started with does not reach git: another folder, other settings, a program to run', async () => {
  const { folder, git: author, write } = cloneIn(home);
  write('a', 'a');
  author('commit', '-qm', 'Begin');
  const trap = join(home, 'trapped');
  vi.stubEnv('GIT_DIR', home);
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', 'core.fsmonitor');
  vi.stubEnv('GIT_CONFIG_VALUE_0', `touch ${trap}`);
  vi.stubEnv('GIT_EXTERNAL_DIFF', `touch ${trap}`);
  expect(await git(folder, ['log', '-1', '-p', '--ext-diff', '--format=%s'])).toContain('Begin');
  expect(existsSync(trap)).toBe(false);
});

test('git is limited in time and bytes, and its output up to the limit is discarded', async () => {
  const { folder, git: author, write } = cloneIn(home);
  write('large', 'x'.repeat(100_000));
  author('commit', '-qm', 'Begin');
  const show = ['show', 'HEAD:large'];
  expect(await git(folder, show)).toHaveLength(100_000);
  expect(await git(folder, show, { maxBytes: 99_999 })).toBeUndefined();
  // Git waits for a line that nobody sends.
  expect(await git(folder, ['cat-file', '--batch'], { timeoutMs: 100 })).toBeUndefined();
  expect(await gitRecords(folder, show, () => undefined)).toBe(true);
  expect(await gitRecords(folder, show, () => undefined, { maxBytes: 1_000 })).toBe(false);
});

/** Puts a program before the real git, whose path it gets as `$git`. */
function beforeGit(script: string): void {
  const folder = join(home, 'before');
  const paths = (process.env.PATH ?? '').split(':');
  const real = paths.map((path) => join(path, 'git')).find(existsSync);
  mkdirSync(folder);
  writeFileSync(join(folder, 'git'), `#!/bin/sh\ngit=${real}\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
}

test('of several requested programs, one is started per turn of the event loop', async () => {
  const { folder } = cloneIn(home);
  const turns: number[] = [0];
  const hook = createHook({
    init: (_, type) => {
      if (type === 'PROCESSWRAP') turns.push((turns.pop() ?? 0) + 1);
    },
  }).enable();
  let isOver = false;
  const countTurns = (): void => {
    turns.push(0);
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  await Promise.all(Array.from({ length: 8 }, () => git(folder, ['rev-parse', '--git-dir'])));
  isOver = true;
  hook.disable();
  expect(turns.filter((starts) => starts > 0)).toEqual(Array(8).fill(1));
});

test('the manifests of a large repository are read by one process, and one that is lacking hides no other', async () => {
  const { folder, git: author, write } = cloneIn(home);
  const count = 60;
  for (let at = 0; at < count; at++)
    writeManifest(join(folder, `packages/p${at}`), { name: `p${at}`, dependencies: { sdk: `^${at}.0.0` } });
  write('a\nb/package.json', JSON.stringify({ dependencies: { über: '^1.0.0' } }));
  author('commit', '-qm', 'Begin');
  const blob = author('rev-parse', 'HEAD:packages/p7/package.json');
  rmSync(join(folder, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
  const starts = join(home, 'starts');
  beforeGit(`echo >> ${starts}\nexec $git "$@"`);
  const { files = [], retry } = (await manifestsIn(folder, author('rev-parse', 'HEAD'))) ?? {};
  expect([files.length, retry]).toEqual([count, 'packages/p7/package.json']);
  const asked = new Map(files.map(([path, { dependencies }]) => [path, [...dependencies]]));
  expect(asked.get('packages/p59/package.json')).toEqual([['sdk', '^59.0.0']]);
  expect(asked.get('a\nb/package.json')).toEqual([['über', '^1.0.0']]);
  expect(readFileSync(starts, 'utf8').length).toBe(2);
});

function writeManifest(folder: string, manifest: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
}

/** Imports this many commits, each with the trailer of a node and with a long trailer that belongs to no node. */
function importTrailers(folder: string, count: number): void {
  const long = 'x'.repeat(50_000);
  const commits = Array.from({ length: count }, (_, at) => {
    const message = `Work\n\nPlan-Node: p/${at}${long}\nPlan-Node: p/n${at}\n`;
    return `commit refs/heads/main\ncommitter a <a@b> ${at} +0000\ndata ${message.length}\n${message}\n`;
  });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, input: commits.join('') });
}

test('trailers that no node can be meant by are not kept, nor the texts that the others stood in', async () => {
  const { folder, git: author } = cloneIn(home);
  importTrailers(folder, 200);
  const head = author('rev-parse', 'main');
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const found = await trailersIn(folder, head);
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
  expect([...(found?.keys() ?? [])].sort()).toEqual(Array.from({ length: 200 }, (_, at) => `p/n${at}`).sort());
  expect(found?.get('p/n199')).toBe(head);
});

test.runIf(isLong)('the first look into a history that git reads for longer than ten seconds is not cut', async () => {
  const { folder, git: author, write } = cloneIn(home);
  write('a', 'a');
  author('commit', '-qm', 'Begin\n\nPlan-Node: p/n');
  beforeGit('sleep 11\nexec $git "$@"');
  const sha = author('rev-parse', 'HEAD');
  expect(await git(folder, ['rev-parse', 'HEAD'])).toBeUndefined();
  expect(await trailersIn(folder, sha)).toEqual(new Map([['p/n', sha]]));
});
