import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createChangeReader } from '../../packages/service/src/coordination/trees/io/change-reader.ts';
import { gitIn, gitRepository, gitWorktree } from '../agents/git-repository.ts';

const numbered = (count: number, changed: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, at) => `${changed[at + 1] ?? `line ${at + 1}`}\n`).join('');

/** A repository with a few files on its default branch, and a way to check one of its trees. */
async function scene() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'changes-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const shop = join(root, 'shop');
  gitRepository(shop, 'acme/shop');
  const git = gitIn(shop);
  await mkdir(join(shop, 'src'));
  await writeFile(join(shop, 'src/price.ts'), numbered(20));
  await writeFile(join(shop, 'src/logo.png'), Buffer.from([0, 1, 2, 0]));
  await writeFile(join(shop, '.gitignore'), 'dist/\n*.log\n');
  git('add', '.');
  git('commit', '-q', '-m', 'Files');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  return { root, shop, git, tree: gitWorktree(shop, 'fern') };
}

function readerOf(root: string, { defaultBranch = null as string | null, isWatchable = true } = {}) {
  const hints = { count: 0 };
  const reader = createChangeReader({
    root,
    isWatchable,
    defaultBranch: () => defaultBranch,
    now: Date.now,
    onChange: () => hints.count++,
  });
  onTestFinished(() => reader.close());
  /** Polls until the hint of a change has arrived and was followed. */
  const found = (matches: object) => expect.poll(async () => await reader.look()).toMatchObject(matches);
  const paths = async () => (await reader.look())?.paths.map(({ path, change }) => `${change} ${path}`);
  return { reader, hints, found, paths };
}

test('a tree changes what it has committed since the merge base, staged, edited and not yet added', async () => {
  const { tree } = await scene();
  const git = gitIn(tree);
  await writeFile(join(tree, 'committed.ts'), 'a\n');
  git('add', '.');
  git('commit', '-q', '-m', 'One');
  await writeFile(join(tree, 'staged.ts'), 'b\n');
  git('add', '.');
  await writeFile(join(tree, 'src/price.ts'), numbered(20, { 3: 'three', 4: 'four' }));
  await writeFile(join(tree, 'new.ts'), 'c\n');
  await writeFile(join(tree, 'quiet.log'), 'd\n');
  const { reader } = readerOf(tree);
  expect(await reader.look()).toMatchObject({
    defaultBranch: 'main',
    truncated: false,
    paths: [
      { path: 'committed.ts', change: 'added', lines: 1 },
      { path: 'src/price.ts', change: 'modified', lines: 2, in: [{ ranges: [[2, 4]] }], behindSince: null },
      { path: 'staged.ts', change: 'added', lines: 1 },
      { path: 'new.ts', change: 'added', lines: null },
    ],
  });
});

test('a rename changes both paths, a binary file has no lines, and a file that is gone is changed in all of them', async () => {
  const { tree } = await scene();
  const git = gitIn(tree);
  git('mv', 'src/logo.png', 'src/sign.png');
  await rm(join(tree, 'src/price.ts'));
  const { reader } = readerOf(tree);
  expect((await reader.look())?.paths).toMatchObject([
    { path: 'src/logo.png', change: 'deleted', lines: null, in: [] },
    { path: 'src/price.ts', change: 'deleted', lines: 20, in: [{ ranges: [[0, 20]] }] },
    { path: 'src/sign.png', change: 'added', lines: null },
  ]);
});

test('an edit, a new folder and a revert are noticed without a look at the rest', async () => {
  const { tree } = await scene();
  const { found, paths, hints } = readerOf(tree);
  expect(await paths()).toEqual([]);
  await writeFile(join(tree, 'src/price.ts'), numbered(20, { 7: 'seven' }));
  await found({ paths: [{ path: 'src/price.ts', in: [{ ranges: [[6, 7]] }] }] });
  await writeFile(join(tree, 'src/price.ts'), numbered(20, { 9: 'nine' }));
  await found({ paths: [{ path: 'src/price.ts', in: [{ ranges: [[8, 9]] }] }] });
  await mkdir(join(tree, 'docs/guides'), { recursive: true });
  await writeFile(join(tree, 'docs/guides/a.md'), 'a\n');
  await found({ paths: [{ path: 'src/price.ts' }, { path: 'docs/guides/a.md' }] });
  await writeFile(join(tree, 'docs/guides/b.md'), 'b\n');
  await found({ paths: [{ path: 'src/price.ts' }, { path: 'docs/guides/a.md' }, { path: 'docs/guides/b.md' }] });
  await rm(join(tree, 'docs'), { recursive: true });
  gitIn(tree)('checkout', '-q', '--', 'src/price.ts');
  await expect.poll(paths).toEqual([]);
  expect(hints.count).toBeGreaterThan(0);
});

test('deleted, restored and short-lived files are noticed immediately', async () => {
  const { tree } = await scene();
  const { found, paths } = readerOf(tree);
  expect(await paths()).toEqual([]);
  await writeFile(join(tree, 'src/price.ts.tmp'), numbered(20, { 7: 'seven' }));
  await rename(join(tree, 'src/price.ts.tmp'), join(tree, 'src/price.ts'));
  await found({ paths: [{ path: 'src/price.ts', change: 'modified', in: [{ ranges: [[6, 7]] }] }] });
  await rm(join(tree, 'src'), { recursive: true });
  await expect.poll(paths).toEqual(['deleted src/logo.png', 'deleted src/price.ts']);
  await writeFile(join(tree, 'new.ts'), 'a\n');
  await expect.poll(paths).toContain('added new.ts');
  gitIn(tree)('checkout', '-q', '--', 'src');
  await rm(join(tree, 'new.ts'));
  await expect.poll(paths).toEqual([]);
  await rm(join(tree, 'src/logo.png'));
  await expect.poll(paths).toEqual(['deleted src/logo.png']);
});

test('nothing is read again while nothing changes, and what git ignores is nothing', async () => {
  const { tree } = await scene();
  await mkdir(join(tree, 'dist'));
  await writeFile(join(tree, 'src/price.ts'), 'x\n');
  const { reader } = readerOf(tree);
  const first = await reader.look();
  expect(await reader.look()).toBe(first);
  await writeFile(join(tree, 'dist/out.js'), 'built\n');
  await writeFile(join(tree, 'noise.log'), 'noise\n');
  for (let look = 0; look < 5; look++) expect(await reader.look()).toBe(first);
});

test('a path that the default branch changed since is behind, in lines of its newest version too', async () => {
  const { shop, git, tree } = await scene();
  await writeFile(join(tree, 'src/price.ts'), numbered(20, { 10: 'ten' }));
  const { found, reader } = readerOf(tree);
  await found({ paths: [{ path: 'src/price.ts', behindSince: null }] });
  await writeFile(join(shop, 'src/price.ts'), `new\nnew\n${numbered(20)}`);
  git('commit', '-q', '-a', '-m', 'Prepend');
  await found({ paths: [{ path: 'src/price.ts', behindSince: expect.any(String) }] });
  const [path] = (await reader.look())?.paths ?? [];
  expect(path?.in.map(({ ranges }) => ranges)).toEqual([[[9, 10]], [[11, 12]]]);
});

test('the newer of the local and the remote default branch counts, and a registered one before all', async () => {
  const { git, tree } = await scene();
  const second = gitIn(tree)('commit-tree', '-p', 'HEAD', '-m', 'Later', 'HEAD^{tree}');
  git('update-ref', 'refs/remotes/origin/main', second);
  gitIn(tree)('branch', 'release', 'HEAD~1');
  const { reader } = readerOf(tree);
  expect(await reader.look()).toMatchObject({ defaultBranch: 'main', paths: [] });
  const registered = readerOf(tree, { defaultBranch: 'release' });
  expect(await registered.reader.look()).toMatchObject({
    defaultBranch: 'release',
    paths: [{ path: '.gitignore' }, { path: 'src/logo.png' }, { path: 'src/price.ts' }],
  });
});

test('a detached HEAD, a shallow clone, no default branch and no commit are read as far as they go', async () => {
  const { root, shop, tree } = await scene();
  gitIn(tree)('checkout', '-q', '--detach');
  await writeFile(join(tree, 'a.ts'), 'a\n');
  expect(await readerOf(tree).paths()).toEqual(['added a.ts']);

  const shallow = join(root, 'shallow');
  gitIn(root)('clone', '-q', '--depth', '1', `file://${shop}`, shallow);
  await writeFile(join(shallow, 'src/price.ts'), 'x\n');
  expect(await readerOf(shallow).reader.look()).toMatchObject({
    defaultBranch: 'main',
    paths: [{ path: 'src/price.ts' }],
  });

  const odd = join(root, 'odd');
  await mkdir(odd);
  gitIn(odd)('init', '-q', '-b', 'work');
  await writeFile(join(odd, 'first.ts'), 'a\n');
  gitIn(odd)('add', '.');
  expect(await readerOf(odd).reader.look()).toMatchObject({
    defaultBranch: null,
    paths: [{ path: 'first.ts', change: 'added' }],
  });
  gitIn(odd)('commit', '-q', '-m', 'First');
  await writeFile(join(odd, 'first.ts'), 'b\n');
  expect(await readerOf(odd).reader.look()).toMatchObject({
    defaultBranch: null,
    paths: [{ path: 'first.ts', change: 'modified' }],
  });
});

test('a submodule is one path without lines, and other working trees inside of a tree are none', async () => {
  const { root, shop, git } = await scene();
  const lib = join(root, 'lib');
  gitRepository(lib, 'acme/lib');
  git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', lib, 'lib');
  git('commit', '-q', '-m', 'Lib');
  gitIn(join(shop, 'lib'))('commit', '-q', '--allow-empty', '-m', 'More');
  gitWorktree(shop, 'moss');
  const { reader } = readerOf(shop);
  expect((await reader.look())?.paths).toMatchObject([{ path: 'lib', change: 'modified', lines: null, in: [] }]);
});

test('at most 5,000 paths are kept, and the tree is marked as truncated', async () => {
  const { tree } = await scene();
  await mkdir(join(tree, 'many'));
  for (let file = 0; file < 5_200; file++) await writeFile(join(tree, `many/${file}.ts`), '');
  await writeFile(join(tree, 'src/price.ts'), 'x\n');
  const { reader } = readerOf(tree);
  const read = await reader.look();
  expect(read?.truncated).toBe(true);
  expect(read?.paths).toHaveLength(5_000);
});

test('without watches a look after 30 s still finds a commit at once, by the stamps of git', async () => {
  const { tree } = await scene();
  const { reader, paths } = readerOf(tree, { isWatchable: false });
  expect(await paths()).toEqual([]);
  await writeFile(join(tree, 'b.ts'), 'b\n');
  await rename(join(tree, 'b.ts'), join(tree, 'c.ts'));
  gitIn(tree)('add', '.');
  gitIn(tree)('commit', '-q', '-m', 'B');
  await expect.poll(async () => (await reader.look())?.paths).toMatchObject([{ path: 'c.ts' }]);
});
