import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';

/** Null for what is not there; any other trouble is trouble. */
export function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}

/** A new name in a folder lasts only once the folder itself is flushed. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export async function mustBeFolder(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) throw new Error('archives must lie in plain folders, not behind links');
}
