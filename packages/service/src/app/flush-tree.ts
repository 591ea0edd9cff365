import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { flushPath } from '../console/runs/io/durable-paths.ts';

/** All that lies in a folder, and the folder itself: what a copy left in the system's memory goes with the power. */
export async function flushTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  for (const { parentPath, name } of entries) await flushPath(join(parentPath, name));
  await flushPath(folder);
}
