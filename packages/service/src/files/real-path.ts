import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** The file system queries needed: the identity of a file (null if missing), and the names in a folder. */
export type SpellingFacts = { idOf(path: string): string | null; names(folder: string): readonly string[] };

const diskFacts: SpellingFacts = {
  idOf(path) {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev} ${found.ino}`;
  },
  names: (folder) => readdirSync(folder),
};

/**
 * The one spelling of a path: every link followed, and on a file system that ignores case every name as it was given.
 * The part that is not there yet stays as it is written.
 */
export function realPath(path: string): string {
  try {
    return asSpelled(realpathSync.native(path));
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}

/** macOS and Windows spell a real path as it was given already; Linux keeps the letters that it was asked with. */
export function asSpelled(path: string, facts: SpellingFacts = diskFacts): string {
  const [parent, name] = [dirname(path), basename(path)];
  if (parent === path) return path;
  return join(asSpelled(parent, facts), ignoresCase(path, facts) ? spelledIn(parent, name, facts) : name);
}

/** The same file answers to its name with the case of every letter turned. */
function ignoresCase(path: string, { idOf }: SpellingFacts): boolean {
  const name = basename(path);
  const turned = [...name].map(inOtherCase).join('');
  const id = turned === name ? null : idOf(path);
  return id !== null && id === idOf(join(dirname(path), turned));
}

/** Some letters have no other case that is one letter too. */
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

/** Whether a path is a folder or lies in it, however the two are spelled. */
export function isInFolder(path: string, folder: string): boolean {
  const [inner, outer] = [realPath(path), realPath(folder)];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}
