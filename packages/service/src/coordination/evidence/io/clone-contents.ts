import { isManifest } from '../manifests.ts';
import { git } from './git.ts';

/** By the lower-case ref, the newest commit that carries its trailer; undefined where the clone cannot be read. */
export async function trailersIn(path: string, sha: string): Promise<Map<string, string> | undefined> {
  const text = await git(path, [
    'log',
    '-z',
    '--no-show-signature',
    '--extended-regexp',
    '--regexp-ignore-case',
    '--grep=^Plan-Node:',
    '--format=%H%n%(trailers:key=Plan-Node,valueonly)',
    sha,
    '--',
  ]);
  if (text === undefined) return undefined;
  const found = new Map<string, string>();
  for (const entry of text.split('\0')) {
    const [commit = '', ...refs] = entry.trim().split('\n');
    for (const ref of refs)
      if (ref.trim() !== '' && !found.has(ref.trim().toLowerCase())) found.set(ref.trim().toLowerCase(), commit);
  }
  return found;
}

export type Manifests = { files: ReadonlyArray<readonly [path: string, text: string]>; unread: readonly string[] };

const maxManifests = 500;
/** So many at once: a monorepo has hundreds, and each costs a process. */
const maxParallelReads = 8;

/** The committed manifests, those nearest to the root first. */
export async function manifestsIn(path: string, sha: string): Promise<Manifests | undefined> {
  const listing = await git(path, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', sha]);
  if (listing === undefined) return undefined;
  const depth = (file: string) => file.split('/').length;
  const names = listing.split('\0').filter(isManifest);
  const left = names.sort((a, b) => depth(a) - depth(b)).slice(0, maxManifests);
  const files: Array<readonly [string, string]> = [];
  const unread: string[] = [];
  while (left.length > 0) {
    const read = left
      .splice(0, maxParallelReads)
      .map(async (file) => [file, await git(path, ['show', `${sha}:${file}`])] as const);
    for (const [file, text] of await Promise.all(read)) {
      if (text === undefined) unread.push(file);
      else files.push([file, text]);
    }
  }
  return { files, unread };
}
