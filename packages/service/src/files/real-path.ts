import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/**
 * The one spelling of a path: every link followed, and on a file system that ignores case every name as it was given.
 * The part that is not there yet stays as it is written.
 */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/** Whether a path is a folder or lies in it, however the two are spelled. */
export function isInFolder(path: string, folder: string): boolean {
  const [inner, outer] = [realPath(path), realPath(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
