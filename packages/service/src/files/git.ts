import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { createSafeGitDir, type SafeGitDir, safeGitEnvironment } from '../../../publisher/src/sender/safe-git-dir.ts';

export type GitOptions = {
  timeoutMs?: number;
  maxBytes?: number;
  /** The command compares files with the index, so the user's global ignore rules and line endings apply. */
  comparesFiles?: boolean;
  /** Writes new objects into a temporary folder. Also reads objects of these git directories. */
  scratchObjects?: { from: readonly SafeGitDir[] };
  /** Exit codes other than 0 that are valid answers. */
  answers?: readonly number[];
};

const defaultTimeoutMs = 10_000;
const defaultBytes = 1024 * 1024;

type Prepared = { dir: SafeGitDir; words: string[]; options: { env: NodeJS.ProcessEnv; cwd: string } };

/** Undefined if the folder has no repository, or git cannot be prevented from running its programs. */
async function prepare(folder: string, args: readonly string[], options: GitOptions): Promise<Prepared | undefined> {
  const more = options.comparesFiles ? await userGitSettings() : [];
  const dir = await createSafeGitDir(folder, more);
  return dir && prepareIn(dir, args);
}

async function prepareIn(dir: SafeGitDir, args: readonly string[]): Promise<Prepared> {
  await turnToStart();
  // Windows searches the working directory for programs first, so git never runs in the repository's folder.
  const words = ['--no-pager', ...(dir.workTree === null ? [] : ['-C', dir.workTree]), ...args];
  return { dir, words, options: { env: safeGitEnvironment(dir, process.env.PATH), cwd: dir.gitDir } };
}

/** Reads a local clone without running programs from its configuration, without network, prompts, locks or writes, and with limits on time and bytes. */
export async function git(
  folder: string,
  args: readonly string[],
  given: GitOptions = {},
): Promise<string | undefined> {
  const prepared = await prepare(folder, args, given);
  if (!prepared) return undefined;
  if (given.scratchObjects) await useScratchObjects(prepared, given.scratchObjects.from);
  const text = await textOf(prepared, given);
  await prepared.dir.remove();
  return text;
}

function textOf({ words, options }: Prepared, given: GitOptions): Promise<string | undefined> {
  const { timeoutMs = defaultTimeoutMs, maxBytes = defaultBytes } = given;
  const limits = { timeout: timeoutMs, maxBuffer: maxBytes, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    execFile('git', words, { ...options, ...limits }, (fault, text) => {
      const isAnswer = !fault || (typeof fault.code === 'number' && given.answers?.includes(fault.code));
      resolve(isAnswer ? text : undefined);
    });
  });
}

/** The repository's objects are only read, as alternates of an empty folder in our own git directory. */
async function useScratchObjects({ dir, options }: Prepared, from: readonly SafeGitDir[]): Promise<void> {
  const scratch = join(dir.gitDir, 'scratch-objects');
  await mkdir(scratch);
  const alternates = [dir, ...from].map(({ gitDir }) => join(gitDir, 'objects'));
  Object.assign(options.env, {
    GIT_OBJECT_DIRECTORY: scratch,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates.join(delimiter),
  });
}

/** Starts git and reads its output while it runs. It does not outlive the service. */
export async function startGit(
  folder: string,
  args: readonly string[],
  given: GitOptions & { input?: string } = {},
): Promise<ChildProcessByStdio<Writable | null, Readable, null> | undefined> {
  const prepared = await prepare(folder, args, given);
  const child = prepared && start(prepared, given);
  child?.once('close', () => void prepared?.dir.remove());
  return child;
}

function start(
  { words, options }: Prepared,
  { timeoutMs = defaultTimeoutMs, input }: GitOptions & { input?: string },
): ChildProcessByStdio<Writable | null, Readable, null> {
  const child = spawn('git', words, {
    ...options,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  }) as ChildProcessByStdio<Writable | null, Readable, null>;
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('close', () => process.off('exit', end));
  // git may end before it has read all input.
  child.stdin?.on('error', () => undefined).end(input);
  return child;
}

/** Longer records are skipped: no name or message of interest is that long. */
const longestRecord = 64 * 1024;

/** `cut`: the output was too long, or the reader stopped. */
type Read = 'whole' | 'cut' | 'failed';

/** Passes each NUL-terminated record to `each`; false if the output was cut or git failed. */
export async function gitRecords(
  folder: string,
  args: readonly string[],
  each: (record: string) => void,
  options: GitOptions = {},
): Promise<boolean> {
  const child = await startGit(folder, args, options);
  if (!child) return false;
  const { maxBytes = defaultBytes } = options;
  const read = await readRecords(
    child,
    (record) => {
      each(record);
      return true;
    },
    maxBytes,
  );
  return read === 'whole';
}

function readRecords(
  child: ChildProcessByStdio<Writable | null, Readable, null>,
  each: (record: string) => boolean,
  maxBytes: number,
): Promise<Read> {
  return new Promise((resolve) => {
    let bytes = 0;
    let rest = '';
    let isCut = false;
    const cut = () => {
      isCut = true;
      child.kill('SIGKILL');
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (isCut) return;
      bytes += text.length;
      if (bytes > maxBytes) return cut();
      const records = text.split('\0');
      records[0] = rest + (records[0] ?? '');
      rest = (records.pop() ?? '').slice(0, longestRecord);
      for (const record of records) if (record.length < longestRecord && !each(record)) return cut();
    });
    child.on('error', () => resolve('failed'));
    child.on('close', (code) => {
      if (rest !== '' && !isCut) each(rest);
      // Even if git had already written everything before it was stopped, the output was too long.
      resolve(isCut ? 'cut' : code === 0 ? 'whole' : 'failed');
    });
  });
}

/** A repository for repeated reads through one safe directory, until it is closed. */
export type OpenGit = {
  text(args: readonly string[], options?: GitOptions): Promise<string | undefined>;
  /** `each` returns false to stop. */
  records(args: readonly string[], each: (record: string) => boolean, options?: GitOptions): Promise<Read>;
  close(): Promise<void>;
};

/** HEAD and settings stay as they were at opening; reopen the repository after they change. */
export async function openGit(folder: string): Promise<OpenGit | undefined> {
  const dir = await createSafeGitDir(folder, await userGitSettings());
  if (!dir) return undefined;
  return {
    text: async (args, options = {}) => textOf(await prepareIn(dir, args), options),
    async records(args, each, options = {}) {
      return readRecords(start(await prepareIn(dir, args), options), each, options.maxBytes ?? defaultBytes);
    },
    close: () => dir.remove(),
  };
}

let last: Promise<void> = Promise.resolve();

/**
 * Resolves when a program may be started: one per turn of the event loop. Starting one copies the page tables of
 * this process, about 5 ms per 100 MB, and blocks all answers meanwhile.
 */
function turnToStart(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}

const keptMs = 60_000;
let kept: { at: number; lines: Promise<string[]> } | undefined;

/**
 * The user's own settings for ignored files and line endings, as configuration lines. They are read with git outside
 * any repository, because the configuration may include other files.
 */
function userGitSettings(): Promise<string[]> {
  const now = performance.now();
  if (!kept || now - kept.at > keptMs) kept = { at: now, lines: readSettings() };
  return kept.lines;
}

async function readSettings(): Promise<string[]> {
  const args = ['config', '--includes', '-z', '--get-regexp', '^core\\.(excludesfile|autocrlf|eol)$'];
  const { PATH, HOME, XDG_CONFIG_HOME } = process.env;
  const nowhere = join(tmpdir(), 'signalbox-no-repository');
  const env = { PATH, HOME, XDG_CONFIG_HOME, GIT_DIR: nowhere, LC_ALL: 'C' };
  const text = await new Promise<string>((resolve) => {
    execFile('git', args, { env, cwd: homedir(), timeout: 5_000 }, (_, said) => resolve(said));
  });
  const settings = new Map<string, string>([
    ['core.excludesfile', join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', 'ignore')],
  ]);
  for (const record of text.split('\0')) {
    const end = record.indexOf('\n');
    if (end > 0) settings.set(record.slice(0, end), record.slice(end + 1));
  }
  return [...settings].map(([key, value]) => `[core]\n\t${key.slice('core.'.length)} = ${quoted(inHome(value))}`);
}

const inHome = (path: string): string => (path.startsWith('~/') ? join(homedir(), path.slice(2)) : path);
const quoted = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
