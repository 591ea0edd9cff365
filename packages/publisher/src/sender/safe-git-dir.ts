import { constants, rmSync, type Stats } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

// The service, which is published as a bundle, uses this file too.

/**
 * Creates our own git directory for a repository: it links the repository's objects, refs and index, and contains
 * only the settings below. Git starts programs only through settings, hooks, or attributes that name settings, so git never reads the repository's own configuration.
 */
export type SafeGitDir = {
  gitDir: string;
  /** Null in a bare repository. */
  workTree: string | null;
  /** The start of the repository's own configuration, as text. */
  config: string;
  remove(): Promise<void>;
};

/** Accepts only plain words, so that no value can be a path or a command. */
const harmless: Record<string, RegExp> = {
  'core.autocrlf': /^(true|false|input)$/i,
  'core.eol': /^(lf|crlf|native)$/i,
  'core.filemode': /^(true|false)$/i,
  'core.ignorecase': /^(true|false)$/i,
  'core.precomposeunicode': /^(true|false)$/i,
  'core.symlinks': /^(true|false)$/i,
  'core.trustctime': /^(true|false)$/i,
  'core.checkstat': /^(default|minimal)$/i,
  'core.sparsecheckout': /^(true|false)$/i,
  'core.sparsecheckoutcone': /^(true|false)$/i,
  'extensions.objectformat': /^(sha1|sha256)$/i,
  'extensions.refstorage': /^(files|reftable)$/i,
};

const maxConfigBytes = 1024 * 1024;
const maxDepth = 64;

const leftAtExit = new Set<string>();
process.once('exit', () => {
  for (const folder of leftAtExit) rmSync(folder, { recursive: true, force: true });
});

type Repository = { gitDir: string; commonDir: string; workTree: string | null };

/** Undefined if there is no repository, or it cannot be read this way. `more` are our own lines for its configuration. */
export async function createSafeGitDir(folder: string, more: readonly string[] = []): Promise<SafeGitDir | undefined> {
  const repository = await findRepository(resolve(folder));
  if (!repository) return undefined;
  const { gitDir, commonDir, workTree } = repository;
  const head = (await readStart(join(gitDir, 'HEAD'), 4096))?.trim() ?? '';
  if (!/^(ref: refs\/[^\0-\x20\x7f]+|[0-9a-f]{40}|[0-9a-f]{64})$/.test(head)) return undefined;
  const config = (await readStart(join(commonDir, 'config'), maxConfigBytes)) ?? '';
  const ofWorkTree = (await readStart(join(gitDir, 'config.worktree'), maxConfigBytes)) ?? '';
  const settings = new Map([...harmlessSettings(config), ...harmlessSettings(ofWorkTree)]);
  // The refs of a linked working tree are in a second file of this format.
  if (settings.get('extensions.refstorage') === 'reftable' && gitDir !== commonDir) return undefined;
  const safe = await mkdtemp(join(tmpdir(), 'signalbox-git-'));
  leftAtExit.add(safe);
  const remove = async () => {
    await rm(safe, { recursive: true, force: true }).catch(() => undefined);
    leftAtExit.delete(safe);
  };
  try {
    await writeFile(join(safe, 'HEAD'), `${head}\n`);
    await writeFile(join(safe, 'config'), configOf(settings, workTree === null, more));
    await mkdir(join(safe, 'info'));
    for (const name of ['objects', 'refs', 'packed-refs', 'shallow', 'reftable', 'info/exclude'])
      await link(join(commonDir, name), join(safe, name));
    const indexes = (await readdir(gitDir)).filter((name) => /^(index|sharedindex\.[0-9a-f]+)$/.test(name));
    for (const name of [...indexes, 'info/sparse-checkout']) await link(join(gitDir, name), join(safe, name));
    return { gitDir: safe, workTree, config, remove };
  } catch {
    await remove();
    return undefined;
  }
}

/** The environment for a git that uses only that directory: no settings of the user or the machine, no network, no prompt. */
export const safeGitEnvironment = (
  { gitDir, workTree }: Pick<SafeGitDir, 'gitDir' | 'workTree'>,
  searchPath: string | undefined,
) => ({
  PATH: searchPath,
  HOME: gitDir,
  GIT_DIR: gitDir,
  ...(workTree === null ? {} : { GIT_WORK_TREE: workTree }),
  GIT_CONFIG_GLOBAL: join(gitDir, 'none'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // A replace ref of the repository could show another commit instead of a pushed one.
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
});

async function findRepository(start: string): Promise<Repository | undefined> {
  for (let folder = start, depth = 0; depth < maxDepth; folder = dirname(folder), depth++) {
    const gitDir = await gitDirOf(folder);
    if (gitDir !== undefined) return { gitDir, commonDir: await commonDirOf(gitDir), workTree: folder };
    if (await isGitDir(folder)) return { gitDir: folder, commonDir: folder, workTree: null };
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}

async function gitDirOf(folder: string): Promise<string | undefined> {
  const path = join(folder, '.git');
  const found = await statOf(path);
  if (found?.isDirectory()) return (await statOf(join(path, 'HEAD')))?.isFile() ? path : undefined;
  const lines = found?.isFile() ? ((await readStart(path, 4096)) ?? '').split('\n') : [];
  const named = lines
    .find((line) => line.startsWith('gitdir:'))
    ?.slice('gitdir:'.length)
    .trim();
  const gitDir = named ? resolve(folder, named) : undefined;
  return gitDir !== undefined && (await statOf(join(gitDir, 'HEAD')))?.isFile() ? gitDir : undefined;
}

async function commonDirOf(gitDir: string): Promise<string> {
  const named = (await readStart(join(gitDir, 'commondir'), 4096))?.trim();
  return named ? resolve(gitDir, named) : gitDir;
}

async function isGitDir(folder: string): Promise<boolean> {
  const [head, objects, refs] = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => statOf(join(folder, name))),
  );
  return Boolean(head?.isFile() && objects?.isDirectory() && refs?.isDirectory());
}

function* harmlessSettings(text: string): Generator<readonly [string, string]> {
  let section = '';
  for (const raw of text.split('\n')) {
    const header = /^\s*\[\s*([a-z]{1,20})\s*\]/i.exec(raw);
    if (header) section = (header[1] ?? '').toLowerCase();
    else if (/^\s*\[/.test(raw)) section = '';
    const [, name = '', value = ''] =
      /^\s{0,20}([a-z]{1,40})\s{0,20}=\s{0,20}"?([a-z0-9]{1,20})"?\s{0,20}$/i.exec(
        raw.slice(header?.[0].length ?? 0, 200),
      ) ?? [];
    const key = `${section}.${name.toLowerCase()}`;
    if (harmless[key]?.test(value)) yield [key, value.toLowerCase()];
  }
}

function configOf(settings: ReadonlyMap<string, string>, bare: boolean, more: readonly string[]): string {
  const isExtended = [...settings.keys()].some((key) => key.startsWith('extensions.'));
  const lines = [...settings].map(([key, value]) => {
    const [section, name] = key.split('.');
    return `[${section}]\n\t${name} = ${value}`;
  });
  const own = `[core]\n\trepositoryformatversion = ${isExtended ? 1 : 0}\n\tbare = ${bare}`;
  return `${[own, ...more, ...lines].join('\n')}\n`;
}

/** Copies if the system does not support links. */
async function link(target: string, path: string): Promise<void> {
  const found = await statOf(target);
  if (!found || !(found.isFile() || found.isDirectory())) return;
  try {
    await symlink(target, path, found.isDirectory() ? 'junction' : 'file');
  } catch (error) {
    if (found.isDirectory()) throw error;
    await copyFile(target, path);
  }
}

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);

/** The start of a regular file; never blocks on a pipe or a device. */
async function readStart(path: string, maxBytes: number): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  try {
    if (!file || !(await file.stat()).isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min((await file.stat()).size, maxBytes));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}
