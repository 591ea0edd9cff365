import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Where a run takes place. */
export type RunFacts = { repository: string; branch: string | null; commit: string | null; packageName: string };

/** Repository, branch and package of a folder, read from files; git itself is never started. */
export function readRunFacts(folder: string): RunFacts {
  const git = upFrom(folder, '.git');
  return {
    repository: git === null ? folder : dirname(git),
    branch: git === null ? null : quietly(() => branchOf(git)),
    commit: git === null ? null : quietly(() => commitOf(git)),
    packageName: quietly(() => nameOf(folder)) ?? basename(folder),
  };
}

function upFrom(folder: string, name: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return join(at, name);
    if (dirname(at) === at) return null;
  }
}

/** The repository's own folder, or the given one where there is none. */
export function rootOf(folder: string): string {
  const git = quietly(() => upFrom(folder, '.git'));
  return git === null ? resolve(folder) : dirname(git);
}

const sha = /^[0-9a-f]{40,64}$/;

/** A branch's commit is in a file of its own, or among the packed ones; a linked tree keeps both in the main one. */
function commitOf(git: string): string | null {
  const folder = folderOf(git);
  const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
  if (sha.test(head)) return head;
  const ref = head.replace(/^ref: /, '');
  const common = quietly(() => resolve(folder, readFileSync(join(folder, 'commondir'), 'utf8').trim())) ?? folder;
  const loose = quietly(() => readFileSync(join(common, ref), 'utf8').trim());
  if (loose !== null && sha.test(loose)) return loose;
  const packed = readFileSync(join(common, 'packed-refs'), 'utf8').split('\n');
  const line = packed.find((text) => text.endsWith(` ${ref}`));
  return line?.split(' ')[0] ?? null;
}

/** A working tree's `.git` is a file that names the folder where its own HEAD is. */
function branchOf(git: string): string | null {
  const folder = folderOf(git);
  const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
  const ref = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (ref === '.invalid') return null;
  return ref ?? (sha.test(head) ? head.slice(0, 8) : null);
}

const folderOf = (git: string): string => (statSync(git).isDirectory() ? git : linkedFolder(git));

function linkedFolder(file: string): string {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const named = lines.find((line) => line.startsWith('gitdir:'))?.slice('gitdir:'.length);
  return resolve(dirname(file), named?.trim() ?? '');
}

function nameOf(folder: string): string | null {
  const file = upFrom(folder, 'package.json');
  if (file === null) return null;
  const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown };
  return typeof name === 'string' && name !== '' ? name : basename(dirname(file));
}

function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
