import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** The required queries to the file system: the identity of a file (null if missing), and the names in a folder. */
export type SpellingFacts = { idOf(path: string): string | null; names(folder: string): readonly string[] };

const diskFacts: SpellingFacts = {
  idOf(path) {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev} ${found.ino}`;
  },
  names: (folder) => readdirSync(folder),
};

/**
 * The canonical spelling of a path: every link is resolved, and on a case-insensitive file system every name is spelled
 * as on disk. A part that does not exist yet stays as written.
 */
export function realPath(path: string): string {
  try {
    return asSpelled(realpathSync.native(path));
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/** macOS and Windows return a real path in the case on disk; Linux keeps the case of the request. */
export function asSpelled(path: string, facts: SpellingFacts = diskFacts): string {
  const [parent, name] = [dirname(path), basename(path)];
  if (parent === path) return path;
  return join(asSpelled(parent, facts), ignoresCase(path, facts) ? spelledIn(parent, name, facts) : name);
}

/** The same file is found by its name with inverted case. */
function ignoresCase(path: string, { idOf }: SpellingFacts): boolean {
  const name = basename(path);
  const turned = [...name].map(inOtherCase).join('');
  const id = turned === name ? null : idOf(path);
  return id !== null && id === idOf(join(dirname(path), turned));
}

/** Some letters have no single-letter counterpart. */
function inOtherCase(letter: string): string {
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return other.length === letter.length ? other : letter;
}

function spelledIn(parent: string, name: string, { names }: SpellingFacts): string {
  try {
    const all = names(parent);
    return all.includes(name) ? name : (all.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name);
  } catch {
    return name;
  }
}

/** Whether a path is a folder or inside it, however the two are spelled. */
export function isInFolder(path: string, folder: string): boolean {
  const [inner, outer] = [realPath(path), realPath(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
