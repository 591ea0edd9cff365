import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Program } from './programs.ts';

/** `stale`: why the newest version could not be looked up. */
export type Installed = { id: Program['id']; version: string; bin: string; stale?: string };
export type Missing = { id: Program['id']; why: string };

/** Outside the repository, because five programs are more than a gigabyte. `SIGNALBOX_AGENTS_CACHE` names another folder. */
export const cacheFolder = (): string =>
  process.env.SIGNALBOX_AGENTS_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'signalbox-agents');

const installMs = 3 * 60_000;

/** The newest version on npm; if npm is unreachable, the version in the cache. */
export function install(program: Program): Installed | Missing {
  const folder = join(cacheFolder(), program.bin);
  mkdirSync(folder, { recursive: true });
  // npm reads the consent to install scripts from here and rejects it on the command line.
  const manifest = { private: true, allowScripts: { [program.npmPackage]: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
    '--fetch-retry-maxtimeout=5000',
  ];
  const npm = spawnSync('npm', [...args, `${program.npmPackage}@latest`], {
    encoding: 'utf8',
    timeout: installMs,
  });
  const why = npm.status === 0 ? null : errorLine(npm.stderr) || `npm ended with ${npm.status ?? npm.signal}`;
  const version = versionIn(join(folder, 'node_modules', program.npmPackage, 'package.json'));
  const bin = join(folder, 'node_modules/.bin', program.bin);
  if (version === null) return { id: program.id, why: why ?? 'npm installed nothing' };
  const started = spawnSync(bin, ['--version'], { encoding: 'utf8', timeout: 300_000 });
  if (started.status === 0) return { id: program.id, version, bin, ...(why !== null && { stale: why }) };
  return { id: program.id, why: `${version} does not start: ${firstLine(started.stderr) || started.error}` };
}

function versionIn(file: string): string | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).version;
  } catch {
    return null;
  }
}

/** npm's second line names the error; the first has only the code. */
const errorLine = (text: string): string =>
  firstLine(text.replace(/^npm (?:error|warn) code .*\n/m, '').replace(/^npm warn .*\n/gm, ''));

const firstLine = (text: string | null): string => (text ?? '').trim().split('\n')[0] ?? '';
