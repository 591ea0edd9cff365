import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Null if the path does not exist; rethrows any other error. */
export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** Flushes a file's bytes, or the names in a folder: a new name lasts only once its folder is flushed. */
export async function flushPath(path: string): Promise<void> {
  const opened = await open(path, constants.O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** Flushes everything in a folder, and the folder itself; before that a copy exists only in memory. */
export async function flushTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  for (const { parentPath, name } of entries) await flushPath(join(parentPath, name));
  await flushPath(folder);
}

/** Renames a file that is already flushed, and flushes its new folder. */
export async function renameDurably(from: string, to: string): Promise<void> {
  // A rename replaces a symbolic link of that name; it does not follow it.
  await rename(from, to);
  await flushPath(dirname(to));
}

/** A crash leaves the old or the new file, never a mix; once this resolves, the new file is on disk. */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  const temporary = join(directory, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameDurably(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await flushPath(dirname(path));
}
