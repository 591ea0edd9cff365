import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import {
  branchOfHead,
  type GitSetting,
  linkedGitFolder,
  parseGitConfig,
  repositoryOf,
} from '../../../files/git-config.ts';
import { readFileStart } from '../../../files/safe-file.ts';
import { type Platform, platform } from '../../../platform/platform.ts';
import { isOlderThan } from '../../../platform/process-start.ts';
import type { ProcessTable } from '../../../platform/processes.ts';
import type { SourceStatus } from '../contract.ts';
import type { GitLocation, TreeProbe, WorktreeOnDisk } from '../ports.ts';
import { agentWorktreeOf, isWithin } from '../tree.ts';
import { type FileStamp, fileStampOf, isSameStamp, listFolder } from './folder-listing.ts';
import { forbidden, isForbidden } from './source-problem.ts';

export type GitLocatorOptions = {
  processes?: Pick<ProcessTable, 'startTimes'>;
  startOf?: Platform['processStart'];
  /** Configuration of the user and the machine, for `insteadOf`. */
  globalConfigs?: readonly string[];
  /** Tool homes that keep the worktrees of all repositories in a folder `worktrees`, such as `~/.codex`. */
  worktreeHomes?: readonly string[];
};

type GitDir = { gitDir: string; commonDir: string };

const outsideGit: GitLocation = {
  root: null,
  mainRoot: null,
  repository: null,
  branch: null,
  worktree: false,
  onDisk: false,
};
const maxDepth = 64;
const maxBytes = 256 * 1024;

/** Where git keeps the settings of the machine and of the user. */
export const systemGitConfigs = (): string[] => [
  '/etc/gitconfig',
  join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'git/config'),
  join(homedir(), '.gitconfig'),
];

/** Finds working trees by reading git's files on disk; git itself is never run. */
export class GitLocator implements TreeProbe {
  readonly #processes: Pick<ProcessTable, 'startTimes'>;
  readonly #startOf: Platform['processStart'];
  readonly #globalConfigs: readonly string[];
  readonly worktreeHomes: readonly string[];
  readonly #configs = new Map<string, { mark: FileStamp; settings: GitSetting[] }>();
  /** The location of each directory when it last existed. */
  readonly #lastLocations = new Map<string, GitLocation>();

  readonly #forbidden = new Set<string>();

  constructor({ processes, startOf, globalConfigs, worktreeHomes = [] }: GitLocatorOptions = {}) {
    this.#processes = processes ?? platform.processes;
    this.#startOf = startOf ?? platform.processStart;
    this.#globalConfigs = globalConfigs ?? [];
    this.worktreeHomes = worktreeHomes;
  }

  async locate(cwd: string, branch: string | null): Promise<GitLocation> {
    // A path of another system, such as C:\\work: it does not exist here.
    if (!isAbsolute(cwd)) return outsideGit;
    const real = await realpath(cwd).catch((error: unknown) => (isForbidden(error) ? undefined : null));
    if (real === undefined) {
      this.#forbidden.add(cwd);
      return this.#lastLocations.get(cwd) ?? { ...outsideGit, onDisk: true };
    }
    this.#forbidden.delete(cwd);
    const location = real === null ? await this.#locateMissing(cwd, branch) : await this.#locateFrom(real, branch);
    if (real !== null) this.#lastLocations.set(cwd, location);
    return location;
  }

  sources(): readonly SourceStatus[] {
    return [...this.#forbidden].map((path) => ({ tool: 'git', path, ok: false, detail: forbidden(path) }));
  }

  async worktreesOf(mainRoot: string): Promise<readonly WorktreeOnDisk[]> {
    if (this.worktreeHomes.includes(mainRoot)) return this.#worktreesInHome(join(mainRoot, 'worktrees'));
    const roots = await foldersIn(join(mainRoot, '.claude', 'worktrees'));
    return Promise.all(
      roots.map(async (root) => {
        const git = await gitDirOf(root);
        if (git) return this.#worktreeAt(root, git);
        return { ...(await this.#brokenWorktree(root, mainRoot)), root, lockedByLiveProcess: false };
      }),
    );
  }

  /** `<id>/<repository>` or `<id>`; other folders there were not made by the tool. */
  async #worktreesInHome(folder: string): Promise<readonly WorktreeOnDisk[]> {
    const tops = await foldersIn(folder);
    const roots = [...tops, ...(await Promise.all(tops.map(foldersIn))).flat()];
    const found = await Promise.all(
      roots.map(async (root) => {
        const git = await gitDirOf(root);
        return git && git.commonDir !== git.gitDir ? this.#worktreeAt(root, git) : null;
      }),
    );
    return found.filter((one) => one !== null);
  }

  async #worktreeAt(root: string, git: GitDir): Promise<WorktreeOnDisk> {
    const location = await this.#locationOf(root, git, null);
    return { ...location, root, lockedByLiveProcess: await this.#isLocked(git.gitDir) };
  }

  async #locateFrom(start: string, branch: string | null): Promise<GitLocation> {
    const agentTree = agentWorktreeOf(start);
    for (let folder = start, depth = 0; depth < maxDepth; folder = dirname(folder), depth++) {
      const git = await gitDirOf(folder);
      if (git) return this.#locationOf(folder, git, branch);
      // The tree of an agent that lost its .git is still that tree, not the repository around it.
      if (folder === agentTree?.top) return this.#brokenWorktree(agentTree.root, agentTree.mainRoot);
      if (folder === dirname(folder) || (await isBare(folder))) return outsideGit;
    }
    return outsideGit;
  }

  /** A deleted directory keeps its former location; it does not default to the surrounding repository. */
  async #locateMissing(recorded: string, branch: string | null): Promise<GitLocation> {
    const { existing, path: cwd } = await resolveLinks(recorded);
    const agentTree = agentWorktreeOf(cwd);
    const before = this.#lastLocations.get(recorded);
    const knownRoot = agentTree?.root ?? before?.root;
    if (knownRoot != null && (await fileStampOf(knownRoot))) return this.#locateFrom(await realpath(knownRoot), branch);
    if (agentTree && (agentTree.mainRoot !== null || !before))
      return { ...(await this.#brokenWorktree(agentTree.root, agentTree.mainRoot)), branch, onDisk: false };
    if (before) return { ...before, onDisk: false };
    if (branch === null) return outsideGit;
    const enclosing = await this.#locateFrom(existing, null);
    if (enclosing.root === null) return { ...outsideGit, root: cwd, mainRoot: cwd, branch };
    const listed = await recordedWorktree(enclosing.root, cwd);
    if (listed !== null) return { ...enclosing, root: listed, branch, worktree: true, onDisk: false };
    // Two working trees of one repository never have the same branch checked out.
    return enclosing.branch === branch ? enclosing : { ...outsideGit, root: cwd, mainRoot: cwd, branch };
  }

  async #brokenWorktree(root: string, mainRoot: string | null): Promise<GitLocation> {
    const git = mainRoot === null ? null : await gitDirOf(mainRoot);
    const repository = git ? repositoryOf(await this.#settings(git), null) : null;
    return { root, mainRoot, repository, branch: null, worktree: true, onDisk: true };
  }

  async #locationOf(root: string, git: GitDir, recorded: string | null): Promise<GitLocation> {
    const head = await readFileStart(join(git.gitDir, 'HEAD'), 4096);
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

  async #settings({ gitDir, commonDir }: GitDir): Promise<GitSetting[]> {
    const files = [...this.#globalConfigs, join(commonDir, 'config'), join(gitDir, 'config.worktree')];
    return (await Promise.all(files.map((file) => this.#config(file)))).flat();
  }

  async #config(file: string): Promise<GitSetting[]> {
    const mark = await fileStampOf(file);
    if (!mark) return [];
    const before = this.#configs.get(file);
    if (before && isSameStamp(before.mark, mark)) return before.settings;
    // Many people keep their own configuration behind a link.
    const settings = parseGitConfig((await readFileStart(file, maxBytes, { follow: true })) ?? '');
    if (mark.isFile) this.#configs.set(file, { mark, settings });
    return settings;
  }

  /** Process ids are reused: a process that started after the lock was written does not hold it. */
  async #isLocked(gitDir: string): Promise<boolean> {
    const lock = join(gitDir, 'locked');
    const pid = Number(/\(pid (\d{1,10})\)/.exec((await readFileStart(lock, 4096)) ?? '')?.[1]);
    if (Number.isNaN(pid) || (await this.#processes.startTimes([pid])).size === 0) return false;
    const written = await fileStampOf(lock);
    return written !== null && !isOlderThan(written.mtimeMs, await this.#startOf(pid));
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const names = await listFolder(folder);
  return typeof names === 'string' ? [] : names.folders.map((name) => join(folder, name));
}

/** The git directory that a folder's `.git` is or points to; null if that is not a git directory. */
async function gitDirOf(folder: string): Promise<GitDir | null> {
  const dotGit = join(folder, '.git');
  const mark = await fileStampOf(dotGit);
  if (!mark) return null;
  const pointed = mark.isFile ? linkedGitFolder((await readFileStart(dotGit, 4096)) ?? '') : '.git';
  if (pointed === undefined) return null;
  const gitDir = await realpath(resolve(folder, pointed)).catch(() => null);
  if (gitDir === null || !(await fileStampOf(join(gitDir, 'HEAD')))) return null;
  const common = (await readFileStart(join(gitDir, 'commondir'), 4096))?.trim();
  const commonDir = common ? await realpath(resolve(gitDir, common)).catch(() => gitDir) : gitDir;
  return { gitDir, commonDir };
}

async function isBare(folder: string): Promise<boolean> {
  const parts = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => fileStampOf(join(folder, name))));
  if (parts.includes(null)) return false;
  const config = parseGitConfig((await readFileStart(join(folder, 'config'), maxBytes)) ?? '');
  return config.some(({ section, key, value }) => section === 'core' && key === 'bare' && value === 'true');
}

/** A missing path with the links in its existing part resolved, and that existing part. */
async function resolveLinks(path: string): Promise<{ existing: string; path: string }> {
  for (let folder = dirname(path), depth = 0; depth < maxDepth; folder = dirname(folder), depth++) {
    const existing = await realpath(folder).catch(() => null);
    if (existing !== null) return { existing, path: join(existing, relative(folder, path)) };
  }
  return { existing: '/', path };
}

/** The worktree that a repository still records at or above this path, even if it was deleted. */
async function recordedWorktree(root: string, path: string): Promise<string | null> {
  const git = await gitDirOf(root);
  const names = git && (await listFolder(join(git.commonDir, 'worktrees')));
  if (!git || !names || typeof names === 'string') return null;
  for (const name of names.folders) {
    const gitFile = (await readFileStart(join(git.commonDir, 'worktrees', name, 'gitdir'), 4096))?.trim();
    if (gitFile && isWithin(path, dirname(gitFile))) return dirname(gitFile);
  }
  return null;
}
