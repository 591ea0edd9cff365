import { execFile } from 'node:child_process';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

const keptMs = 60_000;
let kept: { at: number; lines: Promise<string[]> } | undefined;

/**
 * The user's own settings for ignored files and line ends, as configuration lines. Read with git outside any
 * repository, because the configuration may include other files.
 */
export function userGitSettings(): Promise<string[]> {
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
