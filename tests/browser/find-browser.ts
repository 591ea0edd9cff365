import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { chromium } from 'playwright-core';

type Env = Readonly<Record<string, string | undefined>>;

/** The headless shell draws no window: the browser tests take a fifth less time in it. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** CHROMIUM, an installed Chrome or Chromium, or a headless shell that Playwright downloaded earlier. */
export function installedBrowser(env: Env, exists = existsSync, shell = shellOfPlaywright()): string | undefined {
  if (env.CHROMIUM) return exists(env.CHROMIUM) ? env.CHROMIUM : undefined;
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, '/usr/bin/chromium', ...places, shell].find((path) => path !== '' && exists(path));
}

function shellOfPlaywright(): string {
  try {
    return chromium.executablePath();
  } catch {
    return '';
  }
}

const advice = 'Type `sudo apt-get install -y chromium`, or name a browser in the environment variable CHROMIUM';
const minutesMs = 180_000;

/** If none is installed, one is fetched: Playwright's headless shell, or Debian's package if this user is root. */
export function findOrFetchBrowser(env: Env): { path: string } | { reason: string } {
  const found = installedBrowser(env);
  if (found !== undefined) return { path: found };
  if (env.CHROMIUM) return { reason: `CHROMIUM names ${env.CHROMIUM}, which is not there` };
  process.stderr.write('No browser was found; fetching one for the browser tests.\n');
  const cli = join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  const tries: [string, string[]][] = [[process.execPath, [cli, 'install', 'chromium-headless-shell']]];
  if (process.platform === 'linux' && process.getuid?.() === 0)
    tries.push(
      ['apt-get', ['update', '-q']],
      ['apt-get', ['install', '-yq', '--no-install-recommends', 'chromium-headless-shell']],
      ['apt-get', ['install', '-yq', '--no-install-recommends', 'chromium']],
    );
  for (const [program, args] of tries) {
    spawnSync(program, args, { stdio: ['ignore', 2, 2], timeout: minutesMs });
    const fetched = installedBrowser(env);
    if (fetched !== undefined) return { path: fetched };
  }
  return { reason: `no Chrome or Chromium is installed and none could be fetched. ${advice}` };
}
