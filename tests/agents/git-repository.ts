import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const author = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };

/** Runs git in a folder as its author would, with only the settings of the folder. */
export const gitIn =
  (folder: string) =>
  (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...author }, stdio: 'pipe' })
      .toString()
      .trim();

/** A repository made by git itself, with one pushed commit. */
export function gitRepository(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true });
  const git = gitIn(folder);
  git('init', '-q', '-b', 'main');
  git('remote', 'add', 'origin', `git@github.com:${name}.git`);
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
}

/** A worktree in Claude Code's usual place, on its own branch. */
export function gitWorktree(folder: string, name: string): string {
  const root = join(folder, '.claude', 'worktrees', name);
  gitIn(folder)('worktree', 'add', '-q', '-b', `worktree-${name}`, root);
  return root;
}
