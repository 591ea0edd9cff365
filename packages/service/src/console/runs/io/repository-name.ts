import { isAbsolute, join, resolve } from 'node:path';
import { readWholeFile } from '../../../files/safe-file.ts';

const maxBytes = 1024 * 1024;

/** The `owner/name` of the origin of the checkout at a path, a worktree included; null where none can be seen. */
export async function repositoryNameAt(root: string): Promise<string | null> {
  if (!isAbsolute(root)) return null;
  const config = (await smallFile(join(root, '.git', 'config'))) ?? (await configOfWorktree(root));
  return config === null ? null : nameIn(config);
}

async function configOfWorktree(root: string): Promise<string | null> {
  const pointer = await smallFile(join(root, '.git'));
  const folder = /^gitdir: (.+)$/m.exec(pointer ?? '')?.[1]?.trim();
  if (folder === undefined) return null;
  const own = resolve(root, folder);
  const shared = (await smallFile(join(own, 'commondir')))?.trim() ?? '.';
  return smallFile(join(resolve(own, shared), 'config'));
}

/** A path that a publisher names is not trusted: plain files only, of bounded size. */
const smallFile = (path: string): Promise<string | null> => readWholeFile(path, maxBytes).catch(() => null);

/** `origin` where there is one, else the first remote. */
export function nameIn(config: string): string | null {
  const remotes = [...config.matchAll(/^\[remote "([^"\n]+)"\]\s*$((?:\n(?!\[).*)*)/gm)];
  const remote = remotes.find(([, name]) => name === 'origin') ?? remotes[0];
  const url = /^\s*url\s*=\s*(\S+)/m.exec(remote?.[2] ?? '')?.[1];
  const [, owner, name] = /([^/:\s]+)\/([^/\s]+?)(?:\.git)?\/?$/.exec(url ?? '') ?? [];
  return owner && name ? `${owner}/${name}` : null;
}
