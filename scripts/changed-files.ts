import { spawnSync } from 'node:child_process';

const hours = 4;

function git(root: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * The files that this change touches: since it left the branch `origin/main`, or, in a clone without one, in the four
 * hours before its last commit. Undefined if git cannot determine it.
 */
export function changedFiles(root: string): string[] | undefined {
  const head = git(root, 'rev-parse', 'HEAD');
  const forkPoint = git(root, 'merge-base', 'HEAD', 'origin/main');
  const lastCommit = Number(git(root, 'log', '-1', '--format=%ct'));
  const before = git(root, 'rev-list', '-1', `--before=${lastCommit - hours * 3600}`, 'HEAD');
  const base = forkPoint && forkPoint !== head ? forkPoint : before;
  return base ? git(root, 'diff', '--name-only', base)?.split('\n').filter(Boolean) : undefined;
}
