import { lstat, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { OpenGit } from '../../../files/git.ts';
import { readFileStart } from '../../../files/safe-file.ts';

/** The git directory of a working tree, and the one it shares with the repository's other trees. */
export type GitFolders = { gitDir: string; commonDir: string };

export async function gitFoldersOf(root: string): Promise<GitFolders | null> {
  const dotGit = join(root, '.git');
  const found = await lstat(dotGit).catch(() => null);
  if (!found) return null;
  const pointed = found.isDirectory()
    ? '.git'
    : /^gitdir:\s*(.+)$/m.exec((await readFileStart(dotGit, 4096)) ?? '')?.[1];
  if (!pointed) return null;
  const gitDir = resolve(root, pointed.trim());
  const common = (await readFileStart(join(gitDir, 'commondir'), 4096))?.trim();
  return { gitDir, commonDir: common ? resolve(gitDir, common) : gitDir };
}

/** Changes whenever the index, HEAD, the default branch or the settings of a tree change. */
export async function gitStamp({ gitDir, commonDir }: GitFolders, defaultBranch: string | null): Promise<string> {
  const head = await textOf(join(gitDir, 'HEAD'));
  const branch = /^ref: (.+)$/m.exec(head)?.[1];
  const names = defaultBranch === null ? ['main', 'master'] : [defaultBranch];
  const refs = [
    ...(branch ? [branch] : []),
    'refs/remotes/origin/HEAD',
    ...names.flatMap((name) => [`refs/heads/${name}`, `refs/remotes/origin/${name}`]),
  ];
  const files = [
    join(gitDir, 'index'),
    join(commonDir, 'packed-refs'),
    join(commonDir, 'config'),
    join(commonDir, 'info', 'exclude'),
    join(commonDir, 'reftable', 'tables.list'),
  ];
  const parts = await Promise.all([
    ...refs.map((ref) => textOf(join(commonDir, ref))),
    ...files.map(async (file) => {
      const found = await lstat(file).catch(() => null);
      return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
    }),
  ]);
  return [head, ...parts].join('\n');
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** The HEAD of a tree, the default branch and their merge base. */
export type TreeRefs = {
  defaultBranch: string | null;
  /** Null before the first commit. */
  head: string | null;
  /** The newest commit of the default branch that is known here; null if there is none. */
  tip: string | null;
  /** The commit that changes are compared with: HEAD itself if no merge base is known. */
  base: string;
};

const emptyTree = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

export async function readRefs(git: OpenGit, registered: string | null): Promise<TreeRefs | null> {
  const refs = new Map<string, { commit: string; target: string; at: number }>();
  const format = '--format=%(refname) %(objectname) %(committerdate:unix) %(symref)';
  const names = ['main', 'master', ...(registered === null ? [] : [registered])];
  const patterns = [
    'refs/remotes/origin/HEAD',
    ...names.flatMap((name) => [`refs/heads/${name}`, `refs/remotes/origin/${name}`]),
  ];
  const listed = await git.text(['for-each-ref', format, ...patterns]);
  if (listed === undefined) return null;
  for (const line of listed.split('\n').filter(Boolean)) {
    const [name = '', commit = '', at = '', target = ''] = line.split(' ');
    refs.set(name, { commit, at: Number(at), target });
  }
  const head = (await git.text(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']))?.trim() ?? null;
  const named = registered !== null && isKnown(registered, refs) ? registered : null;
  const ofOrigin = refs.get('refs/remotes/origin/HEAD')?.target.replace('refs/remotes/origin/', '') || null;
  const defaultBranch = named ?? ofOrigin ?? ['main', 'master'].find((name) => isKnown(name, refs)) ?? null;
  if (head === null) {
    const isLong = (refs.values().next().value?.commit.length ?? 40) > 40;
    return { defaultBranch, head, tip: null, base: isLong ? emptyTree.sha256 : emptyTree.sha1 };
  }
  // The branch that origin/HEAD names may exist only as that ref.
  const tip =
    defaultBranch === null
      ? null
      : await newerOf(
          git,
          refs.get(`refs/heads/${defaultBranch}`),
          refs.get(`refs/remotes/origin/${defaultBranch}`) ?? refs.get('refs/remotes/origin/HEAD'),
        );
  const base = tip === null || tip === head ? head : (await git.text(['merge-base', head, tip]))?.trim();
  return { defaultBranch, head, tip, base: base || head };
}

const isKnown = (name: string, refs: ReadonlyMap<string, unknown>): boolean =>
  refs.has(`refs/heads/${name}`) || refs.has(`refs/remotes/origin/${name}`);

type Ref = { commit: string; at: number };

/** The newer of a branch's local and remote form: the one that contains the other; if neither does, the later one. */
async function newerOf(git: OpenGit, local: Ref | undefined, remote: Ref | undefined): Promise<string | null> {
  if (!local || !remote || local.commit === remote.commit) return (local ?? remote)?.commit ?? null;
  const counted = await git.text(['rev-list', '--left-right', '--count', `${local.commit}...${remote.commit}`]);
  const [ahead = 0, behind = 0] = (counted ?? '').trim().split(/\s+/).map(Number);
  if (ahead > 0 && behind > 0) return local.at > remote.at ? local.commit : remote.commit;
  return behind > 0 ? remote.commit : local.commit;
}
