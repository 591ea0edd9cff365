import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

// The long form of a suite: `node scripts/test-long.ts tests/attacks`. Hours, if it is let; `npm test` has the short forms.
const root = join(import.meta.dirname, '..');
const env = {
  ...process.env,
  SIGNALBOX_LONG: '1',
  PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
};
const { status } = spawnSync('vitest', ['run', '--silent=false', ...process.argv.slice(2)], {
  cwd: root,
  env,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
