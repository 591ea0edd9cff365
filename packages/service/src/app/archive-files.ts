import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing, writeAtomically } from '../files/durable-file.ts';
import { readWholeFile } from '../files/safe-file.ts';
import type { ArchiveFiles } from '../store/moved-events.ts';

/** A longer history does not fit into one string; such a plan stays in the log. */
const mostBytes = 512 * 1024 * 1024 - 64;

/** The archive of plans in a data path. */
export function archiveFilesIn(dataPath: string): ArchiveFiles & { names(): Promise<string[]> } {
  const folder = join(dataPath, 'archive');
  return {
    write: (name, text) => writeAtomically(join(folder, name), text),
    read: (name) => readWholeFile(join(folder, name), mostBytes),
    names: async () => (await readdir(folder).catch(nullIfMissing)) ?? [],
  };
}
