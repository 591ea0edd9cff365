import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GitLocator } from '../../packages/service/src/coordination/agents/io/git-locator.ts';

let top = '';
beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), 'roots-')));
});
afterAll(() => rm(top, { recursive: true, force: true }));

const at = (path: string) => join(top, path);

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(at(path)), { recursive: true });
    await writeFile(at(path), text);
  }
}

const origin = (url: string) => `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`;
const branch = (name: string) => `ref: refs/heads/${name}\n`;

async function repository(path: string, url = 'git@github.com:acme/shop.git'): Promise<void> {
  await write({ [`${path}/.git/HEAD`]: branch('main'), [`${path}/.git/config`]: origin(url) });
}

async function worktree(main: string, path: string, name: string): Promise<void> {
  await write({
    [`${main}/.git/worktrees/${name}/HEAD`]: branch(name),
    [`${main}/.git/worktrees/${name}/commondir`]: '../..\n',
    [`${main}/.git/worktrees/${name}/gitdir`]: `${at(path)}/.git\n`,
    [`${path}/.git`]: `gitdir: ${at(main)}/.git/worktrees/${name}\r\n`,
  });
}

const probe = () => new GitLocator({ processes: { startTimes: async () => new Map() } });

describe('the root of a working directory', () => {
  test('is the directory above it that holds .git', async () => {
    await repository('plain', 'https://user:ghp_secret@github.com/Acme/Shop.git');
    await mkdir(at('plain/src/deep'), { recursive: true });
    expect(await probe().locate(at('plain/src/deep'), null)).toEqual({
      root: at('plain'),
      mainRoot: at('plain'),
      repository: 'Acme/Shop',
      branch: 'main',
      worktree: false,
      onDisk: true,
    });
  });

  test('is its own for a git worktree, with its own branch', async () => {
    await repository('main');
    await worktree('main', 'side', 'feat');
    expect(await probe().locate(at('side'), null)).toMatchObject({
      root: at('side'),
      mainRoot: at('main'),
      repository: 'acme/shop',
      branch: 'feat',
      worktree: true,
    });
  });

  test('is its own for a submodule', async () => {
    await repository('super');
    await write({
      'super/.git/modules/lib/HEAD': `${'a1'.repeat(20)}\n`,
      'super/.git/modules/lib/config': origin('git@github.com:acme/lib.git'),
      'super/lib/.git': 'gitdir: ../.git/modules/lib\n',
    });
    expect(await probe().locate(at('super/lib'), null)).toMatchObject({
      root: at('super/lib'),
      mainRoot: at('super/lib'),
      repository: 'acme/lib',
      branch: expect.stringMatching(/^[0-9a-f]{8}$/),
      worktree: false,
    });
  });

  test('does not exist inside a bare repository; its worktrees have theirs', async () => {
    await write({
      'bare.git/HEAD': branch('main'),
      'bare.git/config': '[core]\n\tbare = true\n[remote "origin"]\n\turl = git@github.com:acme/bare.git\n',
      'bare.git/objects/x': '',
      'bare.git/refs/x': '',
      'bare.git/worktrees/w/HEAD': branch('w'),
      'bare.git/worktrees/w/commondir': '../..\n',
      'w/.git': `gitdir: ${at('bare.git')}/worktrees/w\n`,
    });
    expect((await probe().locate(at('bare.git/objects'), 'main')).root).toBeNull();
    expect(await probe().locate(at('w'), null)).toMatchObject({
      root: at('w'),
      mainRoot: at('bare.git'),
      repository: 'acme/bare',
    });
  });

  test('is found through a link', async () => {
    await repository('linked');
    await symlink(at('linked'), at('link'));
    expect((await probe().locate(at('link'), null)).root).toBe(at('linked'));
  });

  test('is null outside of git, and a .git that is none does not count', async () => {
    await write({ 'none/.git/x': '', 'none/src/x': '' });
    expect((await probe().locate(at('none/src'), null)).root).toBeNull();
  });

  test('rewrites an address as the user configured it', async () => {
    await repository('short', 'gh:acme/short');
    await write({ gitconfig: '[url "git@github.com:"]\n\tinsteadOf = gh:\n' });
    const roots = new GitLocator({ globalConfigs: [at('gitconfig')] });
    expect((await roots.locate(at('short'), null)).repository).toBe('acme/short');
  });
});

describe('a directory that was deleted', () => {
  test("is an agent's worktree by its path, never the repository around it", async () => {
    await repository('around');
    expect(await probe().locate(at('around/.claude/worktrees/fern/src'), 'worktree-fern')).toEqual({
      root: at('around/.claude/worktrees/fern'),
      mainRoot: at('around'),
      repository: 'acme/shop',
      branch: 'worktree-fern',
      worktree: true,
      onDisk: false,
    });
  });

  test('is found through links to its old location', async () => {
    await repository('real');
    await worktree('real', 'real/trees/x', 'x');
    await rm(at('real/trees/x'), { recursive: true });
    await symlink(at('real'), at('alias'));
    expect(await probe().locate(at('alias/.claude/worktrees/fern'), 'worktree-fern')).toMatchObject({
      root: at('real/.claude/worktrees/fern'),
      mainRoot: at('real'),
    });
    expect((await probe().locate(at('alias/trees/x/src'), 'main')).root).toBe(at('real/trees/x'));
  });

  test('is the worktree that the repository still remembers there', async () => {
    await repository('keeper');
    await worktree('keeper', 'keeper/trees/x', 'x');
    await rm(at('keeper/trees/x'), { recursive: true });
    expect(await probe().locate(at('keeper/trees/x/src'), 'main')).toMatchObject({
      root: at('keeper/trees/x'),
      mainRoot: at('keeper'),
      onDisk: false,
    });
  });

  test('belongs to the repository around it only if that has the same branch', async () => {
    await repository('branchy');
    expect((await probe().locate(at('branchy/gone'), 'main')).root).toBe(at('branchy'));
    expect(await probe().locate(at('branchy/gone'), 'other')).toMatchObject({
      root: at('branchy/gone'),
      repository: null,
      onDisk: false,
    });
  });

  test('stays where it was last seen', async () => {
    await repository('moving');
    await worktree('moving', 'wt', 'wt');
    const roots = probe();
    const before = await roots.locate(at('wt'), null);
    await rm(at('wt'), { recursive: true });
    await rm(at('moving/.git/worktrees'), { recursive: true });
    expect(await roots.locate(at('wt'), 'wt')).toEqual({ ...before, onDisk: false });
  });
});

describe('worktrees on disk', () => {
  test('are all listed, a broken one too, and no link', async () => {
    await repository('many');
    await worktree('many', 'many/.claude/worktrees/a', 'a');
    await write({ 'many/.claude/worktrees/broken/file': '' });
    await symlink(at('many'), at('many/.claude/worktrees/link'));
    const found = await probe().worktreesOf(at('many'));
    expect(found.map(({ root, branch: of, repository: name }) => [root, of, name]).sort()).toEqual([
      [at('many/.claude/worktrees/a'), 'a', 'acme/shop'],
      [at('many/.claude/worktrees/broken'), null, 'acme/shop'],
    ]);
    expect((await probe().locate(at('many/.claude/worktrees/broken'), null)).root).toBe(
      at('many/.claude/worktrees/broken'),
    );
  });

  test('are listed in the home of a tool that keeps them there, and what is no worktree is left out', async () => {
    await repository('far');
    await worktree('far', '.codex/worktrees/4a21/far', 'feat');
    await repository('.codex/worktrees/4a21/clone');
    await write({ '.codex/worktrees/77ff/notes/x': '' });
    const roots = new GitLocator({
      processes: { startTimes: async () => new Map() },
      worktreeHomes: [at('.codex')],
    });
    const tree = { root: at('.codex/worktrees/4a21/far'), mainRoot: at('far'), branch: 'feat', onDisk: true };
    expect(await roots.worktreesOf(at('.codex'))).toMatchObject([tree]);
    await mkdir(at('.codex/worktrees/4a21/far/src'));
    expect(await roots.locate(at('.codex/worktrees/4a21/far/src'), null)).toMatchObject(tree);
    await rm(at('.codex/worktrees/4a21/far'), { recursive: true });
    expect(await roots.locate(at('.codex/worktrees/4a21/far/src'), 'feat')).toMatchObject({ ...tree, onDisk: false });
    const unseen = await probe().locate(at('.codex/worktrees/4a21/far/src'), 'feat');
    expect(unseen).toMatchObject({ ...tree, mainRoot: null, onDisk: false });
  });

  test('show whether a live process holds their lock', async () => {
    await repository('locked');
    await worktree('locked', 'locked/.claude/worktrees/a', 'a');
    await write({ 'locked/.git/worktrees/a/locked': 'claude agent agent-a (pid 77)' });
    const living = new GitLocator({
      processes: { startTimes: async (pids) => new Map(pids.map((pid) => [pid, null])) },
      startOf: async () => null,
    });
    expect((await living.worktreesOf(at('locked')))[0]?.lockedByLiveProcess).toBe(true);
    expect((await probe().worktreesOf(at('locked')))[0]?.lockedByLiveProcess).toBe(false);
  });

  test('are held by the process that wrote their lock, not by a later one with its id', async () => {
    await repository('reused');
    await worktree('reused', 'reused/.claude/worktrees/a', 'a');
    await write({ 'reused/.git/worktrees/a/locked': `claude agent agent-a (pid ${process.pid})` });
    const isLocked = async () => (await new GitLocator().worktreesOf(at('reused')))[0]?.lockedByLiveProcess;
    expect(await isLocked()).toBe(true);
    // Written a minute before this process started.
    const before = performance.timeOrigin / 1000 - 60;
    await utimes(at('reused/.git/worktrees/a/locked'), before, before);
    expect(await isLocked()).toBe(false);
  });
});
