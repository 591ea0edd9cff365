import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** All that lies in a folder, and the folder itself: what a copy left in the system's memory goes with the power. */
export async function flushTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  for (const { parentPath, name } of entries) await flush(join(parentPath, name));
  await flush(folder);
}

/** A file's bytes, or the names in a folder. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
