import {
  chmodSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { readPlainFile } from '../../files/plain-file.ts';
import { errorCode } from '../../kernel/error-code.ts';
import { CannotConnect, type FileChange } from './change.ts';

const mostBytes = 8 * 1024 * 1024;

/** Null if there is no such file. Links that lead out of the project are neither read nor written. */
export function readText(folder: string, path: string): string | null {
  const file = fileInside(folder, path);
  try {
    const bytes = readPlainFile(file, mostBytes);
    const text = bytes.toString('utf8');
    // Other encodings would be changed by reading and writing.
    if (Buffer.from(text).equals(bytes)) return text;
  } catch (fault) {
    if (errorCode(fault) === 'ENOENT') return null;
    throw new CannotConnect(
      `${path} cannot be read (${errorCode(fault)}). Check its permissions. Nothing was written.`,
    );
  }
  throw new CannotConnect(`${path} is not UTF-8. Save it as UTF-8 first; nothing was written.`);
}

/** Writes each file completely or not at all; a file that changed since it was shown is left alone. */
export function applyChanges(folder: string, changes: readonly FileChange[]): void {
  for (const { path, before } of changes) {
    if (readText(folder, path) !== before)
      throw new CannotConnect(`${path} changed in the meantime. Nothing was written; run this again.`);
  }
  for (const { path, after } of changes) {
    const file = fileInside(folder, path);
    if (after === null) remove(realpathSync(folder), file);
    else write(file, after);
  }
}

/** The file itself, links resolved: every folder on the way, and the file, must lie inside the project. */
function fileInside(folder: string, path: string): string {
  const root = realpathSync(folder);
  let real = root;
  for (const name of path.split('/')) {
    const next = join(real, name);
    const stats = lstatSync(next, { throwIfNoEntry: false });
    real = stats?.isSymbolicLink() ? (targetOf(next) ?? '') : next;
    if (real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep)) {
      throw new CannotConnect(
        `${path} is a link that points outside the project. Replace the link first; nothing was written.`,
      );
    }
  }
  return real;
}

function targetOf(link: string): string | null {
  try {
    return realpathSync(link);
  } catch {
    return null;
  }
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  const fresh = `${file}.signalbox-${process.pid}`;
  try {
    // Never writes through a link that somebody put there.
    writeFileSync(fresh, text, { flag: 'wx' });
    if (mode !== undefined) chmodSync(fresh, mode);
    renameSync(fresh, file);
  } catch (fault) {
    rmSync(fresh, { force: true });
    throw fault;
  }
}

/** Folders that are now empty were created for the file. */
function remove(root: string, file: string): void {
  rmSync(file);
  for (let at = dirname(file); at.length > root.length; at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      return;
    }
  }
}
