import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createUnsavedReader } from '../../packages/service/src/coordination/agents/io/unsaved-work.ts';
import { start } from '../start.ts';
import { createAgentHome } from './agent-home.ts';
import { gitIn, gitRepository, gitWorktree } from './git-repository.ts';

let home = '';
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-unsaved-')));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = createUnsavedReader();

test('files that are not committed and commits that are not pushed are named and counted', async () => {
  const shop = join(home, 'shop');
  gitRepository(shop, 'acme/shop');
  const root = gitWorktree(shop, 'fern');
  expect(await read(root)).toEqual({
    root,
    branch: 'worktree-fern',
    uncommitted: [],
    uncommittedCount: 0,
    unpushed: [],
    unpushedCount: 0,
    hasRemotes: true,
    ignored: [],
    ignoredFiles: 0,
    ignoredBytes: 0,
    ignoredCounted: true,
  });
  const git = gitIn(root);
  writeFileSync(join(root, 'a b.txt'), '1');
  git('add', '.');
  git('commit', '-q', '-m', 'Add the first file');
  writeFileSync(join(root, 'a b.txt'), '2');
  writeFileSync(join(root, 'ümlaut'), '');
  git('config', 'status.showUntrackedFiles', 'no');
  expect(await read(root)).toMatchObject({
    uncommitted: [
      { change: 'M', path: 'a b.txt' },
      { change: '??', path: 'ümlaut' },
    ],
    uncommittedCount: 2,
    unpushed: [{ commit: git('rev-parse', '--short', 'HEAD'), subject: 'Add the first file' }],
    unpushedCount: 1,
  });
});

test('ignored files are counted with their size, single files first, and no link is followed', async () => {
  const shop = join(home, 'shop');
  gitRepository(shop, 'acme/shop');
  const root = gitWorktree(shop, 'fern');
  writeFileSync(join(root, '.gitignore'), '.env\nbuilt/\n');
  writeFileSync(join(root, '.env'), 'KEY=1234');
  mkdirSync(join(root, 'built/deep'), { recursive: true });
  writeFileSync(join(root, 'built/a.js'), '12345');
  writeFileSync(join(root, 'built/deep/b.js'), '123');
  symlinkSync(home, join(root, 'built/out'));
  const link = lstatSync(join(root, 'built/out')).size;
  expect(await read(root)).toMatchObject({
    uncommitted: [{ change: '??', path: '.gitignore' }],
    uncommittedCount: 1,
    ignored: [
      { path: '.env', files: 1, bytes: 8 },
      { path: 'built/', files: 3, bytes: 8 + link },
    ],
    ignoredFiles: 4,
    ignoredBytes: 16 + link,
    ignoredCounted: true,
  });
});

test('of a repository that was never pushed the commits count that no other branch has', async () => {
  const shop = join(home, 'shop');
  gitRepository(shop, 'acme/shop');
  gitIn(shop)('update-ref', '-d', 'refs/remotes/origin/main');
  const root = gitWorktree(shop, 'fern');
  gitIn(root)('checkout', '-q', '--detach');
  gitIn(root)('commit', '-q', '--allow-empty', '-m', 'Only here');
  expect(await read(root)).toMatchObject({ branch: null, hasRemotes: false, unpushedCount: 1 });
  gitIn(root)('checkout', '-q', '-b', 'kept');
  expect(await read(root)).toMatchObject({ branch: 'kept', unpushedCount: 1 });
  gitIn(root)('branch', 'other');
  expect(await read(root)).toMatchObject({ unpushedCount: 0 });
});

test('reading a tree runs no filter of the repository and leaves its index as it was', async () => {
  const shop = join(home, 'shop');
  gitRepository(shop, 'acme/shop');
  const trap = join(home, 'trapped');
  const git = gitIn(shop);
  writeFileSync(join(shop, 'file'), '1');
  writeFileSync(join(shop, '.gitattributes'), '* filter=a=b\nfile filter=plain\n');
  git('add', '.');
  git('commit', '-q', '-m', 'Files');
  for (const name of ['plain', 'a=b'])
    for (const part of ['clean', 'process', 'smudge']) git('config', `filter.${name}.${part}`, `touch ${trap}; cat`);
  git('config', 'filter.plain.required', 'true');
  git('config', 'core.fsmonitor', `touch ${trap}`);
  writeFileSync(join(shop, 'file'), '2');
  writeFileSync(join(shop, '.gitattributes'), '* filter=a=b\n');
  expect(await read(shop)).toMatchObject({ uncommittedCount: 2 });
  expect(existsSync(trap)).toBe(false);
  expect(await read(join(home, 'nothing'))).toBeNull();
});

test('a tree of the board is read by its root, and nothing else is', async () => {
  await using scene = await createAgentHome();
  const shop = join(scene.root, 'shop');
  gitRepository(shop, 'acme/shop');
  const root = gitWorktree(shop, 'fern');
  writeFileSync(join(root, 'new'), '');
  gitRepository(join(scene.root, 'other'), 'acme/other');
  const session = await scene.session(1, shop);
  await session.reportStatus('busy');
  await using service = await start({ settings: { SessionsPath: scene.config } });
  const unsaved = (path: string) => service.call('GET', `/api/agents/trees/unsaved?root=${encodeURIComponent(path)}`);
  expect((await unsaved(root)).body).toMatchObject({ root, uncommitted: [{ change: '??', path: 'new' }] });
  const { status, body } = await unsaved(join(scene.root, 'other'));
  expect([status, body.code, body.detail]).toEqual([
    404,
    'not_found',
    'No such tree is on the board. List the agents to see them.',
  ]);
});
