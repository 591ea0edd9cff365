import { spawn } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findOrFetchBrowser } from '../tests/browser/find-browser.ts';

// Whether the code is right: every static check, and beside them every test of the gate. Arguments go to the test runner.
const root = join(import.meta.dirname, '..');
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
  // Every test file and every program that a test starts compiles the same sources.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
};
const args = process.argv.slice(2);

/** Files in memory: stores flush thousands of times, and what survives a power cut is a matter of the long tests. */
const inMemory = '/dev/shm';
const leastFree = 8 * 1024 ** 3;
function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= leastFree;
}
if (!process.env.TMPDIR && hasRoom(inMemory)) Object.assign(env, { TMPDIR: inMemory });

if (args.length === 0 || args.some((arg) => arg.includes('browser'))) {
  const browser = findOrFetchBrowser(process.env);
  Object.assign(env, 'path' in browser ? { CHROMIUM: browser.path } : { SIGNALBOX_NO_BROWSER: browser.reason });
}

type Ended = { code: number; output: string };

/** Its output is kept until it has ended, so that it does not run into that of the tests. */
function runQuietly(command: string, words: readonly string[]): Promise<Ended> {
  const child = spawn(command, words, { cwd: root, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? 1, output })));
}

const run = (command: string, words: readonly string[]): Promise<number> =>
  new Promise((resolve) =>
    spawn(command, words, { cwd: root, env, stdio: 'inherit' }).once('close', (code) => resolve(code ?? 1)),
  );

const checking = args.length === 0 ? runQuietly('node', ['scripts/check.ts']) : { code: 0, output: '' };
const tested = await run('vitest', ['run', ...args]);
const checked = await checking;
process.stdout.write(checked.output);
process.exitCode = checked.code || tested;
