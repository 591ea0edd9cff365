import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/** Null when the path does not exist; rethrows any other error. */
export function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** A file's bytes, or the names in a folder: a new name lasts only once its folder is flushed. */
export async function flushPath(path: string): Promise<void> {
  const opened = await open(path, constants.O_RDONLY);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

export async function assertFolder(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) throw new Error('archives must lie in plain folders, not behind links');
}
