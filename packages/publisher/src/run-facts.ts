import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { remoteId } from './remote-id.ts';

/** The repository, branch, commit and package of a run. */
export type RunFacts = {
  repository: string;
  /** The same in every clone: the remote without credentials, else the name of the package; null if neither is known. */
  repositoryId: string | null;
  branch: string | null;
  commit: string | null;
  packageName: string;
  /** The folder of the package within the repository; empty for the repository's root. */
  packagePath: string;
};

/** Repository, branch and package of a folder, read from files; git itself is never started. */
export function readRunFacts(folder: string): RunFacts {
  const git = upFrom(folder, '.git');
  return {
    repository: git === null ? folder : dirname(git),
    repositoryId: idOf(git, git === null ? folder : dirname(git)),
    branch: git === null ? null : quietly(() => branchOf(git)),
    commit: git === null ? null : quietly(() => commitOf(git)),
    packageName: quietly(() => nameOf(folder)) ?? basename(folder),
    packagePath: quietly(() => relative(rootOf(folder), packageFolder(folder))) ?? '',
  };
}

const packageFolder = (folder: string): string =>
  dirname(upFrom(folder, 'package.json') ?? join(rootOf(folder), 'any'));

function upFrom(folder: string, name: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return join(at, name);
    if (dirname(at) === at) return null;
  }
}

/** The repository's folder, or the given one outside a repository. */
export function rootOf(folder: string): string {
  const git = quietly(() => upFrom(folder, '.git'));
  return git === null ? resolve(folder) : dirname(git);
}

/** A clone of a local folder is identified by that folder's remote. */
function idOf(git: string | null, root: string, depth = 0): string | null {
  const url = git === null ? null : quietly(() => remoteOf(git));
  const remote = url === null ? null : remoteId(url);
  if (remote !== null) return remote;
  const source = url === null || depth > 2 ? null : resolve(root, url.replace(/^file:\/\//, ''));
  const inside =
    source === null ? undefined : [join(source, '.git'), source].find((at) => existsSync(join(at, 'config')));
  if (inside !== undefined && source !== null) return idOf(inside, source, depth + 1);
  const name = quietly(() => ownName(root));
  return name === null ? null : `package:${name}`;
}

function remoteOf(git: string): string | null {
  const lines = readFileSync(join(commonOf(folderOf(git)), 'config'), 'utf8').split(/\r?\n/);
  const urls = new Map<string, string>();
  let remote: string | null = null;
  for (const line of lines.map((text) => text.trim())) {
    if (line.startsWith('[')) remote = /^\[remote "(.*)"\]/.exec(line)?.[1] ?? null;
    const value = remote === null ? undefined : /^url *=(.*)$/.exec(line)?.[1]?.trim();
    if (remote !== null && value !== undefined) urls.set(remote, value);
  }
  return urls.get('origin') ?? [...urls.values()][0] ?? null;
}

const commonOf = (folder: string): string =>
  quietly(() => resolve(folder, readFileSync(join(folder, 'commondir'), 'utf8').trim())) ?? folder;

const sha = /^[0-9a-f]{40,64}$/;

/** A branch's commit is in a separate file or in packed-refs; a linked tree keeps both in the main tree. */
function commitOf(git: string): string | null {
  const folder = folderOf(git);
  const head = textOf(join(folder, 'HEAD')).trim();
  if (sha.test(head)) return head;
  const ref = head.replace(/^ref: /, '');
  const common = commonOf(folder);
  const loose = quietly(() => textOf(join(common, ref)).trim());
  if (loose !== null && sha.test(loose)) return loose;
  const packed = textOf(join(common, 'packed-refs')).split('\n');
  const line = packed.find((text) => text.endsWith(` ${ref}`));
  return line?.split(' ')[0] ?? null;
}

/** A linked working tree's `.git` is a file that names the folder of its HEAD. */
function branchOf(git: string): string | null {
  const folder = folderOf(git);
  const head = textOf(join(folder, 'HEAD')).trim();
  const ref = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  if (ref === '.invalid') return null;
  return ref ?? (sha.test(head) ? head.slice(0, 8) : null);
}

const folderOf = (git: string): string => (statSync(git).isDirectory() ? git : linkedFolder(git));

function linkedFolder(file: string): string {
  const lines = textOf(file).split(/\r?\n/);
  const named = lines.find((line) => line.startsWith('gitdir:'))?.slice('gitdir:'.length);
  return resolve(dirname(file), named?.trim() ?? '');
}

function nameOf(folder: string): string | null {
  const file = upFrom(folder, 'package.json');
  if (file === null) return null;
  const { name }: { name?: unknown } = JSON.parse(textOf(file));
  return typeof name === 'string' && name !== '' ? name : basename(dirname(file));
}

/** The name of the package in exactly this folder. */
function ownName(folder: string): string | null {
  const { name }: { name?: unknown } = JSON.parse(textOf(join(folder, 'package.json')));
  return typeof name === 'string' && name !== '' ? name : null;
}

/** Reading a device or a pipe, even behind a link, would never end. */
function textOf(file: string): string {
  if (!statSync(file).isFile()) throw new Error(`${file} is not a regular file`);
  return readFileSync(file, 'utf8');
}

function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
