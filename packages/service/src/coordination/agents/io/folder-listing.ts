import type { Stats } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { errorCode } from '../../../kernel/error-code.ts';

export type FolderNames = { folders: string[]; files: string[] };

/** The entries of a folder without links. `missing` if it does not exist, `closed` if it cannot be read. */
export async function listFolder(folder: string): Promise<FolderNames | 'missing' | 'closed'> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return {
      folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
      files: entries.filter((entry) => entry.isFile()).map(({ name }) => name),
    };
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '') ? 'missing' : 'closed';
  }
}

/** False if a link leads out of `root`; a missing path does not. */
export async function staysInside(root: string, path: string): Promise<boolean> {
  try {
    const [top, real] = await Promise.all([realpath(root), realpath(path)]);
    return real === top || real.startsWith(top.endsWith(sep) ? top : top + sep);
  } catch {
    return true;
  }
}

/** A value that changes whenever the file is appended to, rewritten, truncated or replaced. */
export type FileStamp = { ino: number; size: number; mtimeMs: number; isFile: boolean };

export const fileStampFrom = (stats: Stats): FileStamp => ({
  ino: stats.ino,
  size: stats.size,
  mtimeMs: stats.mtimeMs,
  isFile: stats.isFile(),
});

export async function fileStampOf(path: string): Promise<FileStamp | null> {
  try {
    return fileStampFrom(await lstat(path));
  } catch {
    return null;
  }
}

export const isSameStamp = (a: FileStamp, b: FileStamp): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;

/** Runs `work` over all items, a limited number at a time. */
export async function forEachLimited<Item>(items: readonly Item[], limit: number, work: (item: Item) => Promise<void>) {
  let next = 0;
  const worker = async () => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
