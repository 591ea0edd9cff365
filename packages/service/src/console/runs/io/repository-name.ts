import { isAbsolute, join, resolve } from 'node:path';
import { linkedGitFolder, parseGitConfig, repositoryOf } from '../../../files/git-config.ts';
import { readWholeFile } from '../../../files/safe-file.ts';

/** Longer git configurations are not read. */
const maxBytes = 256 * 1024;

/** The `owner/name` of the origin of the checkout at a path, a worktree included; null if none can be seen. */
export async function repositoryNameAt(root: string): Promise<string | null> {
  if (!isAbsolute(root)) return null;
  const config = (await smallFile(join(root, '.git', 'config'))) ?? (await configOfWorktree(root));
  return config === null ? null : repositoryOf(parseGitConfig(config), null);
}

async function configOfWorktree(root: string): Promise<string | null> {
  const pointer = await smallFile(join(root, '.git'));
  const folder = linkedGitFolder(pointer ?? '');
  if (folder === undefined) return null;
  const own = resolve(root, folder);
  const shared = (await smallFile(join(own, 'commondir')))?.trim() ?? '.';
  return smallFile(join(resolve(own, shared), 'config'));
}

/** A path that a publisher names is not trusted: plain files only, of bounded size. */
const smallFile = (path: string): Promise<string | null> => readWholeFile(path, maxBytes).catch(() => null);
