import { type Stats, statSync } from 'node:fs';

/** Something other than our file is at its path. The message names it and the next step. */
export class NotRegularFile extends Error {
  constructor(path: string, what: string) {
    super(`${path} ${what}. Move it away, or restore a backup.`);
    this.name = 'NotRegularFile';
  }
}

/** Call before opening a file by name: a pipe would block, and a device would be read without end. The file may be missing. */
export function requireRegularFile(path: string): void {
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch (fault) {
    throw new NotRegularFile(path, `cannot be read (${(fault as NodeJS.ErrnoException).code})`);
  }
  if (stats && !stats.isFile()) throw new NotRegularFile(path, `is ${kindOf(stats)}, not a regular file`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
