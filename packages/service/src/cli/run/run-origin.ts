import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { branchOfHead, linkedGitFolder, parseGitConfig, remoteId, remoteOf } from '../../kernel/git-config.ts';
import { packageNameIn } from './package-name.ts';

export type RunOrigin = {
  suite: string;
  repository: string;
  /** The same in every clone, as publishers tell it. */
  repositoryId: string | null;
  branch: string | null;
  commit: string | null;
  /** Whether tracked files differ from the commit, as publishers tell it; null where git does not tell in time. */
  dirty: boolean | null;
};

/** Where a command runs: the suite is named after the nearest package, the repository found by its `.git`. */
export function readRunOrigin(folder: string, suite: string | undefined): RunOrigin {
  const git = findUpwards(folder, '.git');
  const repository = git === null ? folder : dirname(git);
  const repositoryId = repositoryIdAt(repository);
  return {
    suite: suite ?? packageName(folder, repository) ?? repositoryId?.split('/').at(-1) ?? basename(folder),
    repository,
    repositoryId,
    branch: git === null ? null : quietly(() => branchOf(git)),
    commit: git === null ? null : quietly(() => ask(folder, 'rev-parse', 'HEAD')),
    dirty: git === null ? null : quietly(() => ask(folder, 'status', '--porcelain', '--untracked-files=no') !== ''),
  };
}

/** By the remote; a clone of a folder of this machine by what that is a clone of; else by the package. */
export function repositoryIdAt(root: string, depth = 0): string | null {
  const url = quietly(() => remoteOf(parseGitConfig(readFileSync(configIn(root), 'utf8')), null)) ?? null;
  const remote = url === null ? null : remoteId(url);
  if (remote !== null) return remote;
  const source = url === null || depth > 2 ? null : resolve(root, url.replace(/^file:\/\//, ''));
  if (source !== null && existsSync(source)) return repositoryIdAt(source, depth + 1);
  const name = quietly(() => packageNameIn(root));
  return name === null ? null : `package:${name}`;
}

function configIn(root: string): string {
  const git = join(root, '.git');
  if (!existsSync(git)) return join(root, 'config');
  const linked = statSync(git).isFile() ? linkedGitFolder(readFileSync(git, 'utf8')) : undefined;
  if (linked === undefined) return join(git, 'config');
  const own = resolve(root, linked);
  return join(quietly(() => resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim())) ?? own, 'config');
}

/** Of the nearest folder that is a package, up to the root of the repository. */
function packageName(folder: string, root: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const name = quietly(() => packageNameIn(at));
    if (name !== null) return name;
    if (existsSync(join(at, 'package.json'))) return basename(at);
    if (at === resolve(root) || dirname(at) === at) return null;
  }
}

const gitTimeoutMs = 2_000;

const ask = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['--no-optional-locks', ...args], {
    cwd,
    timeout: gitTimeoutMs,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .toString()
    .trim();

function findUpwards(folder: string, name: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return join(at, name);
    if (dirname(at) === at) return null;
  }
}

function branchOf(git: string): string | null {
  const linked = statSync(git).isFile() && linkedGitFolder(readFileSync(git, 'utf8'));
  return branchOfHead(readFileSync(join(linked ? resolve(dirname(git), linked) : git, 'HEAD'), 'utf8'));
}

function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
