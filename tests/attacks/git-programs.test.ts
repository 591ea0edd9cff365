import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchChanges } from '../../packages/publisher/src/sender/changes.ts';
import { readRunOrigin } from '../../packages/service/src/cli/run/run-origin.ts';
import { createUnsavedReader } from '../../packages/service/src/coordination/agents/io/unsaved-work.ts';
import { manifestsIn, trailersIn } from '../../packages/service/src/coordination/evidence/io/clone-contents.ts';
import { branchHeadOf, createCloneAccess } from '../../packages/service/src/coordination/evidence/io/clone-observer.ts';
import { gitIn, gitRepository } from '../agents/git-repository.ts';

let home = '';
let traps = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-programs-')));
  traps = join(home, 'traps');
  mkdirSync(traps);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

const spring = (name: string) => `touch ${join(traps, name)};`;
const sprung = () => readdirSync(traps).sort();

/** Settings by which a repository makes git start a program, each with its own trap. */
const settings = (folder: string): Array<readonly [string, string]> => [
  ['filter.clean.clean', `${spring('filter.clean')} cat`],
  ['filter.long.process', spring('filter.process')],
  ['filter.must.clean', `${spring('filter.required')} cat`],
  ['filter.must.required', 'true'],
  ['filter.smudge.smudge', `${spring('filter.smudge')} cat`],
  ['core.fsmonitor', spring('fsmonitor')],
  ['core.hooksPath', join(folder, 'hooks')],
  ['core.pager', spring('pager')],
  ['pager.status', spring('pager.status')],
  ['pager.log', spring('pager.log')],
  ['diff.external', spring('diff.external')],
  ['diff.text.textconv', `${spring('textconv')} cat`],
  ['diff.command.command', spring('diff.command')],
  ['gpg.program', spring('gpg.program')],
  ['log.showSignature', 'true'],
  ['remote.origin.promisor', 'true'],
  ['remote.origin.uploadpack', spring('uploadpack')],
  ['remote.evil.url', `ext::sh -c ${spring('remote.ext').replaceAll(' ', '% ')}`],
  ['remote.evil.promisor', 'true'],
  ['extensions.partialClone', 'evil'],
  ['core.repositoryformatversion', '1'],
  ['protocol.allow', 'always'],
  ['protocol.ext.allow', 'always'],
  ['core.sshCommand', spring('ssh')],
  ['core.gitProxy', spring('gitProxy')],
  ['core.askPass', spring('askPass')],
  ['credential.helper', `!${spring('credential')}`],
  ['core.editor', spring('editor')],
  ['alias.unsaved', `!${spring('alias')}`],
  ['alias.status', `!${spring('alias.status')}`],
  ['core.alternateRefsCommand', spring('alternateRefs')],
  ['uploadpack.packObjectsHook', spring('packObjects')],
  ['trailer.sign.command', spring('trailer')],
  ['trailer.Plan-Node.cmd', spring('trailer.cmd')],
  ['merge.own.driver', spring('merge')],
  ['submodule.sub.update', `!${spring('submodule')}`],
  ['status.submoduleSummary', 'true'],
  ['extensions.worktreeConfig', 'true'],
];

const attributes = [
  '* filter=',
  'clean filter=clean',
  'long filter=long',
  'must filter=must',
  'smudge filter=smudge',
  'worktree filter=worktree',
  'included filter=included',
  'file diff=text',
  'other diff=command',
].join('\n');
const files = ['clean', 'long', 'must', 'smudge', 'worktree', 'included', 'file', 'other', 'empty'];

function craftedRepository(folder: string): void {
  gitRepository(folder, 'acme/shop');
  const git = gitIn(folder);
  gitRepository(join(folder, 'sub'), 'acme/sub');
  writeFileSync(join(folder, 'sub', 'inner'), '1');
  gitIn(join(folder, 'sub'))('add', '.');
  gitIn(join(folder, 'sub'))('commit', '-q', '-m', 'Inner');
  for (const name of files) writeFileSync(join(folder, name), '1');
  writeFileSync(join(folder, 'package.json'), '{"dependencies":{"sdk":"^1.0.0"}}');
  git('add', '.');
  git('commit', '-q', '-m', 'Files\n\nPlan-Node: p/n');
  for (const [key, value] of settings(folder)) git('config', key, value);
  const config = join(folder, '.git', 'config');
  appendFileSync(config, `[filter ""]\n\tclean = "${spring('filter.empty')} cat"\n[include]\n\tpath = evil\n`);
  writeFileSync(join(folder, '.git', 'evil'), `[filter "included"]\n\tclean = "${spring('filter.included')} cat"\n`);
  writeFileSync(
    join(folder, '.git', 'config.worktree'),
    `[filter "worktree"]\n\tclean = "${spring('filter.worktree')} cat"\n`,
  );
  appendFileSync(
    join(folder, 'sub', '.git', 'config'),
    `[filter "sub"]\n\tclean = "${spring('filter.sub')} cat"\n[core]\n\tfsmonitor = "${spring('fsmonitor.sub')}"\n`,
  );
  writeFileSync(join(folder, 'sub', '.gitattributes'), '* filter=sub');
  writeFileSync(join(folder, 'sub', 'inner'), '2');
  mkdirSync(join(folder, 'hooks'));
  for (const hook of [
    'post-index-change',
    'reference-transaction',
    'fsmonitor-watchman',
    'post-checkout',
    'pre-auto-gc',
  ]) {
    writeFileSync(join(folder, 'hooks', hook), `#!/bin/sh\n${spring(`hook.${hook}`)}\n`, { mode: 0o755 });
    writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\n${spring(`hook.${hook}`)}\n`, { mode: 0o755 });
  }
  // Git compares these files by their contents, because they were changed after they were added.
  for (const name of files) writeFileSync(join(folder, name), '2');
  writeFileSync(join(folder, '.gitattributes'), attributes);
  rmSync(traps, { recursive: true });
  mkdirSync(traps);
}

/** Calls every place that starts git, on one folder. */
async function everyRoute(folder: string) {
  const unsaved = await createUnsavedReader()(folder);
  const head = await branchHeadOf(folder, undefined);
  const trailers = head && (await trailersIn(folder, head.sha));
  const manifests = head && (await manifestsIn(folder, head.sha));
  const access = await createCloneAccess([home])(folder, 'acme/shop');
  const origin = await readRunOrigin(folder, 'suite');
  const published = await new Promise((resolve) => watchChanges(folder, process.env.PATH ?? '').ask(resolve));
  return { unsaved, trailers, manifests, access, origin, published };
}

test('a crafted repository starts no program under any route that starts git, and is read all the same', async () => {
  const shop = join(home, 'shop');
  craftedRepository(shop);
  // Its author's own git does start the traps, so they are set correctly.
  const careless = { cwd: shop, env: { PATH: process.env.PATH, HOME: shop }, stdio: 'ignore', input: '' } as const;
  for (const args of [['status'], ['diff'], ['unsaved'], ['fetch', 'evil']])
    try {
      execFileSync('git', args, { ...careless, timeout: 120_000 });
    } catch {
      // Most of these programs are not real filters, so git complains.
    }
  expect(sprung()).toEqual(
    expect.arrayContaining(['alias', 'filter.clean', 'filter.empty', 'fsmonitor', 'remote.ext']),
  );
  rmSync(traps, { recursive: true });
  mkdirSync(traps);
  const { unsaved, trailers, manifests, access, origin, published } = await everyRoute(shop);
  expect(sprung()).toEqual([]);
  expect(unsaved?.uncommittedCount).toBeGreaterThanOrEqual(files.length);
  expect([...(trailers?.keys() ?? [])]).toEqual(['p/n']);
  expect(manifests?.files.map(([path]) => path)).toEqual(['package.json']);
  expect(access).toBeNull();
  expect(origin).toMatchObject({ branch: 'main', commit: expect.stringMatching(/^[0-9a-f]{40}$/), dirty: true });
  expect(published).toBe(true);
});

test('a list of filters over any length starts none of them', async () => {
  const shop = join(home, 'shop');
  craftedRepository(shop);
  const flood = `[filter "a"]\n${'\tclean = cat\n'.repeat(70_000)}`;
  appendFileSync(join(shop, '.git', 'config'), `${flood}[filter "z"]\n\tclean = "${spring('filter.flood')} cat"\n`);
  writeFileSync(join(shop, '.gitattributes'), '* filter=z');
  expect((await everyRoute(shop)).unsaved?.uncommittedCount).toBeGreaterThanOrEqual(files.length);
  expect(sprung()).toEqual([]);
});

test('a working tree that is linked, and one whose git folder is elsewhere, start no program either', async () => {
  const shop = join(home, 'shop');
  craftedRepository(shop);
  const linked = join(home, 'linked');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', ...args], {
      cwd: shop,
      stdio: 'pipe',
    });
  git('worktree', 'add', '-q', '-f', '--no-checkout', '-b', 'fern', linked);
  writeFileSync(join(linked, 'new'), '');
  rmSync(traps, { recursive: true });
  mkdirSync(traps);
  const { unsaved } = await everyRoute(linked);
  expect(unsaved).toMatchObject({
    branch: 'fern',
    uncommitted: expect.arrayContaining([{ change: '??', path: 'new' }]),
  });
  expect(sprung()).toEqual([]);
});

test('variables of git that the service was started with start no program', async () => {
  const shop = join(home, 'shop');
  craftedRepository(shop);
  for (const name of [
    'GIT_SSH_COMMAND',
    'GIT_EXTERNAL_DIFF',
    'GIT_ASKPASS',
    'GIT_PAGER',
    'GIT_EDITOR',
    'GIT_PROXY_COMMAND',
  ])
    vi.stubEnv(name, spring(name));
  vi.stubEnv('GIT_CONFIG_COUNT', '1');
  vi.stubEnv('GIT_CONFIG_KEY_0', 'core.fsmonitor');
  vi.stubEnv('GIT_CONFIG_VALUE_0', spring('GIT_CONFIG_VALUE_0'));
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(shop, '.git', 'config'));
  vi.stubEnv('GIT_DIR', join(shop, 'sub', '.git'));
  expect((await everyRoute(shop)).unsaved?.branch).toBe('main');
  expect(sprung()).toEqual([]);
});
