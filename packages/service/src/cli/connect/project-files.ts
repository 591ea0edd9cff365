import { mkdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CannotConnect, type FileChange } from './change.ts';

export function readText(folder: string, path: string): string | null {
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new CannotConnect(`${path} cannot be read (${(fault as NodeJS.ErrnoException).code}). Nothing was written.`);
  }
}

/** Writes each file whole or not at all; a file that changed since it was shown is left alone. */
export function applyChanges(folder: string, changes: readonly FileChange[]): void {
  for (const { path, before } of changes) {
    if (readText(folder, path) !== before)
      throw new CannotConnect(`${path} changed in the meantime. Nothing was written.`);
  }
  for (const { path, before, after } of changes) {
    const file = before === null ? join(folder, path) : realpathSync(join(folder, path));
    if (after === null) remove(folder, file);
    else write(file, after);
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.signalbox-${process.pid}`;
  writeFileSync(fresh, text);
  renameSync(fresh, file);
}

/** Folders that are empty now were made for the file. */
function remove(folder: string, file: string): void {
  rmSync(file);
  for (let at = dirname(file); at.length > folder.length; at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      return;
    }
  }
}
