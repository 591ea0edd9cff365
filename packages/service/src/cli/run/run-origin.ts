import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { remoteId, withPath } from '../../../../publisher/src/remote-id.ts';
import { git as askGit } from '../../files/git.ts';
import { branchOfHead, linkedGitFolder, parseGitConfig, remoteOf } from '../../files/git-config.ts';
import { readPlainFile } from '../../files/plain-file.ts';
import { quietly } from '../quietly.ts';

export type RunOrigin = {
  suite: string;
  repository: string;
  /** The repository's name, the same in every clone and as publishers send it, with the folder of the suite's package. */
  repositoryId: string | null;
  branch: string | null;
  commit: string | null;
  /** Whether tracked files differ from the commit, as publishers send it; null if git does not answer in time. */
  dirty: boolean | null;
};

/**
 * The suite and repository of a command: the suite is named after the nearest package, the repository is found by
 * `.git`.
 */
export async function readRunOrigin(folder: string, suite: string | undefined): Promise<RunOrigin> {
  const git = findUpwards(folder, '.git');
  const repository = git === null ? folder : dirname(git);
  const repositoryId = repositoryIdAt(repository);
  const inside = suite === undefined ? packageIn(folder, repository) : null;
  const status = ['status', '--porcelain', '--untracked-files=no', '--ignore-submodules=dirty'];
  const changes = git === null ? undefined : await askGit(folder, status, { timeoutMs, comparesFiles: true });
  const commit = git === null ? undefined : await askGit(folder, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  return {
    suite: suite ?? inside?.name ?? repositoryId?.split('/').at(-1) ?? basename(folder),
    repository,
    repositoryId: withPath(repositoryId, inside === null ? '' : relative(repository, inside.folder)),
    branch: git === null ? null : quietly(() => branchOf(git), null),
    commit: commit?.trim() || null,
    dirty: changes === undefined ? null : changes !== '',
  };
}

/** The id comes from the remote; for a clone of a local folder, from that folder's remote; otherwise from the name of the package. */
export function repositoryIdAt(root: string, depth = 0): string | null {
  const url = quietly(() => remoteOf(parseGitConfig(textOf(configIn(root))), null), null) ?? null;
  const remote = url === null ? null : remoteId(url);
  if (remote !== null) return remote;
  const source = url === null || depth > 2 ? null : resolve(root, url.replace(/^file:\/\//, ''));
  if (source !== null && existsSync(source)) return repositoryIdAt(source, depth + 1);
  const name = quietly(() => packageNameIn(root), null);
  return name === null ? null : `package:${name}`;
}

function configIn(root: string): string {
  const git = join(root, '.git');
  if (!existsSync(git)) return join(root, 'config');
  const linked = statSync(git).isFile() ? linkedGitFolder(textOf(git)) : undefined;
  if (linked === undefined) return join(git, 'config');
  const own = resolve(root, linked);
  return join(
    quietly(() => resolve(own, textOf(join(own, 'commondir')).trim()), own),
    'config',
  );
}

/** The nearest package folder, up to the root of the repository. */
function packageIn(folder: string, root: string): { name: string; folder: string } | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const name = quietly(() => packageNameIn(at), null) ?? (existsSync(join(at, 'package.json')) ? basename(at) : null);
    if (name !== null) return { name, folder: at };
    if (at === resolve(root) || dirname(at) === at) return null;
  }
}

const timeoutMs = 2_000;
const mostBytes = 1024 * 1024;
const textOf = (file: string): string => readPlainFile(file, mostBytes).toString('utf8');

function findUpwards(folder: string, name: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, name))) return join(at, name);
    if (dirname(at) === at) return null;
  }
}

function branchOf(git: string): string | null {
  const linked = statSync(git).isFile() && linkedGitFolder(textOf(git));
  return branchOfHead(textOf(join(linked ? resolve(dirname(git), linked) : git, 'HEAD')));
}

/** Files that name the package of a folder, in order of preference. */
const manifests: readonly { file: string; name: (text: string) => unknown }[] = [
  { file: 'package.json', name: (text) => JSON.parse(text).name },
  { file: 'go.mod', name: (text) => /^module\s+(\S+)/m.exec(text)?.[1] },
  { file: 'Cargo.toml', name: (text) => inSection(text, 'package', 'name') },
  {
    file: 'pyproject.toml',
    name: (text) => inSection(text, 'project', 'name') ?? inSection(text, 'tool.poetry', 'name'),
  },
  { file: 'composer.json', name: (text) => JSON.parse(text).name },
];

/** The name of the package in exactly this folder, in any supported language. */
function packageNameIn(folder: string): string | null {
  for (const { file, name } of manifests) {
    const path = join(folder, file);
    const said = existsSync(path) ? nameOf(path, name) : undefined;
    if (typeof said === 'string' && said !== '') return said;
  }
  return null;
}

function nameOf(path: string, name: (text: string) => unknown): unknown {
  try {
    return name(textOf(path));
  } catch {
    return undefined;
  }
}

function inSection(toml: string, section: string, key: string): string | undefined {
  const lines = toml.split(/\r?\n/).map((line) => line.trim());
  const start = lines.indexOf(`[${section}]`);
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('['));
  const own = end < 0 ? rest : rest.slice(0, end);
  const found = own.find((line) => line.startsWith(key) && line.slice(key.length).trimStart().startsWith('='));
  return found
    ?.slice(found.indexOf('=') + 1)
    .trim()
    .replace(/^(["'])([^"']*)\1.*$/, '$2');
}
