import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { createSafeGitDir } from '../../../../../publisher/src/sender/safe-git-dir.ts';
import { ownerName, parseGitConfig } from '../../../files/git-config.ts';

/** Why a registered clone is not looked at; null where it may be. */
export type CloneAccess = (path: string, repository: string) => Promise<string | null>;

/** Only clones under the given folders whose `origin` is the repository itself: registering a path proves nothing. */
export function createCloneAccess(folders: readonly string[]): CloneAccess {
  return async (path, repository) => {
    const real = await realpath(path).catch(() => null);
    if (real === null) return `${path} does not exist`;
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
    const isInside = roots.some((root) => root !== null && (real === root || real.startsWith(withSeparator(root))));
    if (!isInside) return `${path} lies outside Service:ClonesPath`;
    const origin = await originOf(real);
    if (origin === null) return `${path} has no origin that names a repository`;
    return origin.toLowerCase() === repository.toLowerCase() ? null : `${path} is a clone of ${origin}`;
  };
}

async function originOf(clone: string): Promise<string | null> {
  const dir = await createSafeGitDir(clone);
  await dir?.remove();
  const urls = parseGitConfig(dir?.config ?? '').filter(
    ({ section, name, key }) => section === 'remote' && name === 'origin' && key === 'url',
  );
  const url = urls.at(-1)?.value;
  return url ? ownerName(url) : null;
}

const withSeparator = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);
