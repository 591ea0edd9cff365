import { execFile } from 'node:child_process';

/** Reads of a local clone: no hooks, no network, no prompt, no lock taken, nothing written. */
export function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  const quiet = [
    '-c',
    'core.fsmonitor=false',
    '-c',
    'core.hooksPath=/dev/null',
    '-c',
    'protocol.allow=never',
    '--no-pager',
  ];
  const env = {
    PATH: process.env.PATH,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
  return new Promise((resolve) => {
    execFile(
      'git',
      [...quiet, '-C', folder, ...args],
      { env, timeout: 10_000, maxBuffer: 64 * 1024 * 1024 },
      (fault, text) => resolve(fault ? undefined : text),
    );
  });
}

/** The commit that a branch, or the default branch, stands at; local first, then as it was last fetched. */
export async function headOf(
  folder: string,
  branch: string | undefined,
): Promise<{ branch: string; sha: string } | undefined> {
  const names =
    branch === undefined ? await defaultBranches(folder) : [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`];
  for (const name of names) {
    const sha = (
      await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
    )?.trim();
    if (sha) return { branch: name.replace(/^refs\/(heads|remotes\/origin)\//, ''), sha };
  }
  return undefined;
}

async function defaultBranches(folder: string): Promise<string[]> {
  const remote = (await git(folder, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']))?.trim();
  const named = remote?.replace('refs/remotes/origin/', '');
  const names = [...(named ? [named] : []), 'main', 'master'];
  return [...names.flatMap((name) => [`refs/heads/${name}`, `refs/remotes/origin/${name}`]), 'HEAD'];
}
