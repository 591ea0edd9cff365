import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { branchOfHead, linkedGitFolder } from '../../kernel/git-config.ts';

export type RunOrigin = {
  suite: string;
  repository: string;
  branch: string | null;
  commit: string | null;
  /** Whether tracked files differ from the commit, as publishers tell it; null where git does not tell in time. */
  dirty: boolean | null;
};

/** Where a command runs: the suite is named after the nearest package, the repository found by its `.git`. */
export function readRunOrigin(folder: string, suite: string | undefined): RunOrigin {
  const git = findUpwards(folder, '.git');
  return {
    suite: suite ?? quietly(() => packageName(folder)) ?? basename(folder),
    repository: git === null ? folder : dirname(git),
    branch: git === null ? null : quietly(() => branchOf(git)),
    commit: git === null ? null : quietly(() => ask(folder, 'rev-parse', 'HEAD')),
    dirty: git === null ? null : quietly(() => ask(folder, 'status', '--porcelain', '--untracked-files=no') !== ''),
  };
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

function packageName(folder: string): string | null {
  const file = findUpwards(folder, 'package.json');
  if (file === null) return null;
  const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string };
  return name ?? basename(dirname(file));
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
