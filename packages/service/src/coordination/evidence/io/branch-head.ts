import { git } from '../../../files/git.ts';

export type BranchHead = { branch: string; sha: string };

/** The commit that a branch, or the default branch, stands at: here, or as it was last fetched where that is further on. */
export async function branchHeadOf(folder: string, branch: string | undefined): Promise<BranchHead | undefined> {
  const names = branch === undefined ? await defaultBranches(folder) : [branch];
  for (const name of names) {
    const local = await commitAt(folder, `refs/heads/${name}`);
    const fetched = await commitAt(folder, `refs/remotes/origin/${name}`);
    const sha = local && fetched && (await isBehind(folder, local, fetched)) ? fetched : (local ?? fetched);
    if (sha) return { branch: name, sha };
  }
  const sha = branch === undefined ? await commitAt(folder, 'HEAD') : undefined;
  return sha === undefined ? undefined : { branch: 'HEAD', sha };
}

async function commitAt(folder: string, name: string): Promise<string | undefined> {
  const sha = await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  return sha?.trim() || undefined;
}

const isBehind = async (folder: string, here: string, fetched: string): Promise<boolean> =>
  here !== fetched && (await git(folder, ['merge-base', '--is-ancestor', here, fetched])) !== undefined;

async function defaultBranches(folder: string): Promise<string[]> {
  const remote = (await git(folder, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']))?.trim();
  const named = remote?.replace('refs/remotes/origin/', '');
  return [...(named ? [named] : []), 'main', 'master'];
}
