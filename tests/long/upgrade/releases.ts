import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Release } from '../../../bench/year.ts';

const root = join(import.meta.dirname, '../../..');

/** The commits from which the releases were built. */
const commits: Record<Release, string> = {
  '0.1.0': '2071b577d0b4dded107e85a73e07819615cac1d6',
  '0.2.0': '25a108cb54a748f76abf2370dd1646ea22fe037d',
};

/** Why a release is not available here, for example in a shallow clone. */
export function whyMissing(release: Release): string | null {
  try {
    execFileSync('git', ['cat-file', '-e', `${commits[release]}^{commit}`], { cwd: root, stdio: 'ignore' });
    return null;
  } catch {
    return `commit ${commits[release]} is not in this clone`;
  }
}

/** The sources of a release with their locked packages, kept for the next time. */
function checkoutOf(release: Release): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  const folder = join(cache, 'signalbox-releases', release);
  if (existsSync(folder)) return folder;
  const making = `${folder}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  const parts = [
    'package.json',
    'package-lock.json',
    'packages/service',
    'packages/publisher',
    'packages/web/package.json',
  ];
  const sources = execFileSync('git', ['archive', commits[release], ...parts], { cwd: root, maxBuffer: 1 << 28 });
  execFileSync('tar', ['x', '-C', making], { input: sources });
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--workspace', 'signalbox'];
  execFileSync('npm', ['ci', ...options], { cwd: making, stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true });
  renameSync(making, folder);
  return folder;
}

/** Starts a release on a data path. */
export async function startRelease(release: Release, env: Record<string, string>) {
  const program = join(checkoutOf(release), 'packages/service/src/cli/main.ts');
  const words = release === '0.1.0' ? [] : ['start'];
  const child = spawn(process.execPath, [program, ...words], {
    cwd: env.HOME,
    env: { PATH: process.env.PATH, PORT: '0,0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const [, found] = /coordination\s+(http\S+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    ended.then(() => reject(new Error(`${release} did not start: ${said}`)));
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
