import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfMissing, writeAtomically } from '../files/durable-file.ts';
import { readWholeFile } from '../files/safe-file.ts';
import type { ArchiveFiles } from '../store/moved-events.ts';

/** What is longer cannot be one text; such a plan stays in the log. */
const mostBytes = 512 * 1024 * 1024 - 64;

/** The archive of plans in that data path. */
export function archiveFilesIn(dataPath: string): ArchiveFiles & { names(): Promise<string[]> } {
  const folder = join(dataPath, 'archive');
  return {
    write: (name, text) => writeAtomically(join(folder, name), text),
    read: (name) => readWholeFile(join(folder, name), mostBytes),
    names: async () => (await readdir(folder).catch(nullIfMissing)) ?? [],
  };
}
