import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Place, TreeProbe, WorktreeOnDisk } from '../ports.ts';
import { branchOfHead, parseGitConfig, repositoryOf, type Setting } from '../remote.ts';
import { agentWorktreeOf, isWithin } from '../tree.ts';
import { isSameMark, type Mark, markOf, namesIn } from './inside.ts';
import { readSmall } from './plain-file.ts';
import { type ProcessTable, systemProcesses } from './process-table.ts';

export type GitRootsOptions = {
  processes?: ProcessTable;
  /** Configuration of the user and the machine, for `insteadOf`. */
  globalConfigs?: readonly string[];
};

type GitDir = { gitDir: string; commonDir: string };

const nowhere: Place = {
  root: null,
  mainRoot: null,
  repository: null,
  branch: null,
  worktree: false,
  onDisk: false,
};
const deepest = 64;
const largest = 256 * 1024;

/** Finds working trees by reading what git left on disk; git itself is never run. */
export class GitRoots implements TreeProbe {
  readonly #processes: ProcessTable;
  readonly #globalConfigs: readonly string[];
  readonly #configs = new Map<string, { mark: Mark; settings: Setting[] }>();
  /** Where a directory stood when it was last there. */
  readonly #last = new Map<string, Place>();

  constructor({ processes, globalConfigs }: GitRootsOptions = {}) {
    this.#processes = processes ?? systemProcesses();
    this.#globalConfigs = globalConfigs ?? [];
  }

  async locate(cwd: string, branch: string | null): Promise<Place> {
    const real = await realpath(cwd).catch(() => null);
    const place = real === null ? await this.#missing(cwd, branch) : await this.#above(real, branch);
    if (real !== null) this.#last.set(cwd, place);
    return place;
  }

  async worktreesOf(mainRoot: string): Promise<readonly WorktreeOnDisk[]> {
    const folder = join(mainRoot, '.claude', 'worktrees');
    const names = await namesIn(folder);
    if (typeof names === 'string') return [];
    return Promise.all(
      names.folders.map(async (name) => {
        const root = join(folder, name);
        const git = await gitDirOf(root);
        const place = git ? await this.#placeOf(root, git, null) : await this.#broken(root, mainRoot);
        return { ...place, root, lockedByLiving: git !== null && (await this.#isLocked(git.gitDir)) };
      }),
    );
  }

  async #above(start: string, branch: string | null): Promise<Place> {
    const agentTree = agentWorktreeOf(start);
    for (let here = start, depth = 0; depth < deepest; here = dirname(here), depth++) {
      const git = await gitDirOf(here);
      if (git) return this.#placeOf(here, git, branch);
      // The tree of an agent that lost its .git is still that tree, not the repository around it.
      if (here === agentTree?.root) return this.#broken(here, agentTree.mainRoot);
      if (here === dirname(here) || (await isBare(here))) return nowhere;
    }
    return nowhere;
  }

  /** A directory that was deleted belongs where it stood, never by default to the repository around it. */
  async #missing(recorded: string, branch: string | null): Promise<Place> {
    const { existing, path: cwd } = await throughLinks(recorded);
    const agentTree = agentWorktreeOf(cwd);
    const before = this.#last.get(recorded);
    const known = agentTree?.root ?? before?.root;
    if (known != null && (await markOf(known))) return this.#above(await realpath(known), branch);
    if (agentTree) return { ...(await this.#broken(agentTree.root, agentTree.mainRoot)), branch, onDisk: false };
    if (before) return { ...before, onDisk: false };
    if (branch === null) return nowhere;
    const around = await this.#above(existing, null);
    if (around.root === null) return { ...nowhere, root: cwd, mainRoot: cwd, branch };
    const listed = await rememberedWorktree(around.root, cwd);
    if (listed !== null) return { ...around, root: listed, branch, worktree: true, onDisk: false };
    // Two working trees of one repository never have the same branch checked out.
    return around.branch === branch ? around : { ...nowhere, root: cwd, mainRoot: cwd, branch };
  }

  async #broken(root: string, mainRoot: string): Promise<Place> {
    const git = await gitDirOf(mainRoot);
    const repository = git ? repositoryOf(await this.#settings(git), null) : null;
    return { root, mainRoot, repository, branch: null, worktree: true, onDisk: true };
  }

  async #placeOf(root: string, git: GitDir, recorded: string | null): Promise<Place> {
    const head = await readSmall(join(git.gitDir, 'HEAD'), 4096);
    const branch = (head === null ? null : branchOfHead(head)) ?? recorded;
    const worktree = git.commonDir !== git.gitDir;
    const parent = basename(git.commonDir) === '.git' ? dirname(git.commonDir) : git.commonDir;
    return {
      root,
      mainRoot: worktree ? parent : root,
      repository: repositoryOf(await this.#settings(git), branch),
      branch,
      worktree,
      onDisk: true,
    };
  }

  async #settings({ gitDir, commonDir }: GitDir): Promise<Setting[]> {
    const files = [...this.#globalConfigs, join(commonDir, 'config'), join(gitDir, 'config.worktree')];
    return (await Promise.all(files.map((file) => this.#config(file)))).flat();
  }

  async #config(file: string): Promise<Setting[]> {
    const mark = await markOf(file);
    if (!mark) return [];
    const before = this.#configs.get(file);
    if (before && isSameMark(before.mark, mark)) return before.settings;
    // Many keep their own configuration behind a link.
    const settings = parseGitConfig((await readSmall(file, largest, { follow: true })) ?? '');
    if (mark.isFile) this.#configs.set(file, { mark, settings });
    return settings;
  }

  async #isLocked(gitDir: string): Promise<boolean> {
    const pid = /\(pid (\d{1,10})\)/.exec((await readSmall(join(gitDir, 'locked'), 4096)) ?? '')?.[1];
    return pid !== undefined && (await this.#processes.look([Number(pid)])).size > 0;
  }
}

/** The git directory that a folder's `.git` is or points to; null when there is none that looks like one. */
async function gitDirOf(folder: string): Promise<GitDir | null> {
  const dotGit = join(folder, '.git');
  const mark = await markOf(dotGit);
  if (!mark) return null;
  const pointed = mark.isFile ? /^gitdir:\s*(.+?)\s*$/m.exec((await readSmall(dotGit, 4096)) ?? '')?.[1] : '.git';
  if (pointed === undefined) return null;
  const gitDir = await realpath(resolve(folder, pointed)).catch(() => null);
  if (gitDir === null || !(await markOf(join(gitDir, 'HEAD')))) return null;
  const common = (await readSmall(join(gitDir, 'commondir'), 4096))?.trim();
  const commonDir = common ? await realpath(resolve(gitDir, common)).catch(() => gitDir) : gitDir;
  return { gitDir, commonDir };
}

async function isBare(folder: string): Promise<boolean> {
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => markOf(join(folder, name))));
  if (parts.includes(null)) return false;
  const config = parseGitConfig((await readSmall(join(folder, 'config'), largest)) ?? '');
  return config.some(({ section, key, value }) => section === 'core' && key === 'bare' && value === 'true');
}

/** A path that is not there, with every link in it followed as far as it leads, and how far that is. */
async function throughLinks(path: string): Promise<{ existing: string; path: string }> {
  for (let here = dirname(path), depth = 0; depth < deepest; here = dirname(here), depth++) {
    const existing = await realpath(here).catch(() => null);
    if (existing !== null) return { existing, path: join(existing, relative(here, path)) };
  }
  return { existing: '/', path };
}

/** The worktree that a repository still remembers at or above this path, deleted as it may be. */
async function rememberedWorktree(root: string, path: string): Promise<string | null> {
  const git = await gitDirOf(root);
  const names = git && (await namesIn(join(git.commonDir, 'worktrees')));
  if (!git || !names || typeof names === 'string') return null;
  for (const name of names.folders) {
    const at = (await readSmall(join(git.commonDir, 'worktrees', name, 'gitdir'), 4096))?.trim();
    if (at && isWithin(path, dirname(at))) return dirname(at);
  }
  return null;
}
