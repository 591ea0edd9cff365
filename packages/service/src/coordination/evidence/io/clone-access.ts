import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { git } from '../../../files/git.ts';
import { ownerName } from '../../../kernel/git-config.ts';

/** Why a registered clone is not looked at; null where it may be. */
export type CloneAccess = (path: string, repository: string) => Promise<string | null>;

/** Only clones under the given folders whose `origin` is the repository itself: whoever registers a path proves nothing by it. */
export function createCloneAccess(folders: readonly string[]): CloneAccess {
  return async (path, repository) => {
    const real = await realpath(path).catch(() => null);
    if (real === null) return `${path} does not exist`;
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
    const isInside = roots.some((root) => root !== null && (real === root || real.startsWith(withSeparator(root))));
    if (!isInside) return `${path} lies outside Service:ClonesPath`;
    const url = (await git(real, ['config', '--get', 'remote.origin.url']))?.trim();
    const origin = url ? ownerName(url) : null;
    if (origin === null) return `${path} has no origin that names a repository`;
    return origin.toLowerCase() === repository.toLowerCase() ? null : `${path} is a clone of ${origin}`;
  };
}

const withSeparator = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);
