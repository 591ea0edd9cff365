import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { turnToStart } from './start-in-turn.ts';

export type GitOptions = {
  timeoutMs?: number;
  maxBytes?: number;
  /** Settings that beat those of the repository. Given by environment, since a name may hold an equals sign. */
  settings?: ReadonlyArray<readonly [key: string, value: string]>;
};

const defaultTimeoutMs = 10_000;
const defaultBytes = 1024 * 1024;

/** Turns off everything a repository's configuration could make git do beyond reading. */
const safeOptions = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.allow=never',
  '-c',
  'log.showSignature=false',
  '--no-pager',
];

const safeEnvironment = (settings: GitOptions['settings'] = []) => ({
  PATH: process.env.PATH,
  // Users trust clones of other owners in their own configuration (safe.directory).
  HOME: process.env.HOME,
  XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME,
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Beats protocol.*.allow of the repository, which beats protocol.allow of the command line.
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
});

/** Reads of a local clone: no hooks, no network, no prompt, no lock taken, nothing written; bounded in time and bytes. */
export async function git(
  folder: string,
  args: readonly string[],
  { timeoutMs = defaultTimeoutMs, maxBytes = defaultBytes, settings }: GitOptions = {},
): Promise<string | undefined> {
  await turnToStart();
  return new Promise((resolve) => {
    execFile(
      'git',
      [...safeOptions, '-C', folder, ...args],
      { env: safeEnvironment(settings), timeout: timeoutMs, maxBuffer: maxBytes, killSignal: 'SIGKILL' },
      (fault, text) => resolve(fault ? undefined : text),
    );
  });
}

/** One whose output is read while it runs. It does not outlive the service. */
export async function startGit(
  folder: string,
  args: readonly string[],
  { timeoutMs = defaultTimeoutMs, settings, input }: GitOptions & { input?: string } = {},
): Promise<ChildProcessByStdio<Writable | null, Readable, null>> {
  await turnToStart();
  const child = spawn('git', [...safeOptions, '-C', folder, ...args], {
    env: safeEnvironment(settings),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  }) as ChildProcessByStdio<Writable | null, Readable, null>;
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('close', () => process.off('exit', end));
  // It may end before it has read all of it.
  child.stdin?.on('error', () => undefined).end(input);
  return child;
}

/** Longer records are passed over: no name or message that is looked for is as long. */
const longestRecord = 64 * 1024;

/** Hands each record of an output that ends its records with NUL to `each`; false when it was cut or git failed. */
export async function gitRecords(
  folder: string,
  args: readonly string[],
  each: (record: string) => void,
  options: GitOptions = {},
): Promise<boolean> {
  const { maxBytes = defaultBytes } = options;
  const child = await startGit(folder, args, options);
  return new Promise((resolve) => {
    let bytes = 0;
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      bytes += text.length;
      if (bytes > maxBytes) return void child.kill('SIGKILL');
      const records = text.split('\0');
      records[0] = rest + (records[0] ?? '');
      rest = (records.pop() ?? '').slice(0, longestRecord);
      for (const record of records) if (record.length < longestRecord) each(record);
    });
    child.on('error', () => resolve(false));
    child.on('close', (code) => {
      if (rest !== '') each(rest);
      // What git had written before it was stopped may have been all of it: it still was too much.
      resolve(code === 0 && bytes <= maxBytes);
    });
  });
}
