import { createSafeGitDir } from '../../../../../publisher/src/sender/safe-git-dir.ts';
import { git, gitRecords } from '../../../files/git.ts';
import { canRehearse, conflictsIn, type Rehearsed } from '../merge-rehearsal.ts';

const limits = { timeoutMs: 10_000, maxBytes: 4 * 1024 * 1024 };
const mergeArgs = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages'];

/** Merges the commits of two trees, with objects in our own folder: neither repository is written to. */
export async function rehearseMerge(one: string, other: string): Promise<Rehearsed> {
  const version = (await git(one, ['version']))?.trim() ?? '';
  if (!canRehearse(version)) return unknown(`${version || 'git'} cannot rehearse a merge; this needs 2.38 or later`);
  const commits = await Promise.all([headOf(one), headOf(other)]);
  if (commits.some((commit) => commit === null)) return unknown('a tree has no commit yet, or git cannot read it');
  const uncommitted = await Promise.all([countUncommitted(one), countUncommitted(other)]);
  const theirs = await createSafeGitDir(other);
  if (!theirs) return unknown('git cannot read a tree');
  const args = [...mergeArgs, ...commits.map((commit) => commit ?? '')];
  const output = await git(one, args, { ...limits, scratchObjects: { from: [theirs] }, answers: [1] });
  await theirs.remove();
  if (output === undefined)
    return { ...unknown('git could not merge the two branches in time, or at all'), uncommitted };
  const conflicts = conflictsIn(output);
  return { result: conflicts.length > 0 ? 'conflicts' : 'clean', reason: null, conflicts, uncommitted };
}

const unknown = (reason: string): Rehearsed => ({ result: 'unknown', reason, conflicts: [], uncommitted: [0, 0] });

async function headOf(root: string): Promise<string | null> {
  const id = (await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))?.trim() ?? '';
  return /^[0-9a-f]{40,64}$/.test(id) ? id : null;
}

async function countUncommitted(root: string): Promise<number> {
  let count = 0;
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--ignore-submodules=dirty'];
  await gitRecords(root, args, () => void count++, { ...limits, comparesFiles: true });
  return count;
}
