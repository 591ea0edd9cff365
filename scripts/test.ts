import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { findOrFetchBrowser } from '../tests/browser/find-browser.ts';

// Static checks first, because they are quick and say most; then every test. Arguments go to the test runner.
const root = join(import.meta.dirname, '..');
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
  // Every test file and every program that a test starts compiles the same sources.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
};
const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;

const args = process.argv.slice(2);
if (args.length === 0 || args.some((arg) => arg.includes('browser'))) {
  const browser = findOrFetchBrowser(process.env);
  Object.assign(env, 'path' in browser ? { CHROMIUM: browser.path } : { SIGNALBOX_NO_BROWSER: browser.reason });
}
const failed = (args.length === 0 && run('node', ['scripts/check.ts'])) || run('vitest', ['run', ...args]);
process.exitCode = failed;
