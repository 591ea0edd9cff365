import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { trailersIn } from '../../packages/service/src/coordination/evidence/io/clone-contents.ts';
import { git, gitRecords } from '../../packages/service/src/files/git.ts';
import { cloneIn } from '../evidence-clone.ts';
import { isLong } from '../long.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'signalbox-git-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

test('a clone that would fetch what it lacks by a command of its own runs no command', async () => {
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

test('git is given so much time and so many bytes, and what it said by then is no answer', async () => {
  const { folder, git: author, write } = cloneIn(home);
  write('large', 'x'.repeat(100_000));
  author('commit', '-qm', 'Begin');
  const show = ['show', 'HEAD:large'];
  expect(await git(folder, show)).toHaveLength(100_000);
  expect(await git(folder, show, { maxBytes: 99_999 })).toBeUndefined();
  // It waits for a line that nobody sends.
  const began = performance.now();
  expect(await git(folder, ['cat-file', '--batch'], { timeoutMs: 100 })).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(await gitRecords(folder, show, () => undefined)).toBe(true);
  expect(await gitRecords(folder, show, () => undefined, { maxBytes: 1_000 })).toBe(false);
});

/** So many commits, each with the trailer of a node and a long one that none can have. */
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

test.runIf(isLong)(
  'the first look into a history that git reads for longer than ten seconds is not cut',
  async () => {
    const { folder, git: author, write } = cloneIn(home);
    write('a', 'a');
    author('commit', '-qm', 'Begin\n\nPlan-Node: p/n');
    const slow = join(home, 'slow');
    mkdirSync(slow);
    const real = (process.env.PATH ?? '')
      .split(':')
      .map((path) => join(path, 'git'))
      .find(existsSync);
    writeFileSync(join(slow, 'git'), `#!/bin/sh\nsleep 11\nexec ${real} "$@"\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${slow}:${process.env.PATH}`);
    const sha = author('rev-parse', 'HEAD');
    expect(await git(folder, ['rev-parse', 'HEAD'])).toBeUndefined();
    expect(await trailersIn(folder, sha)).toEqual(new Map([['p/n', sha]]));
  },
  60_000,
);
