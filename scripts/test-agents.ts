import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cacheFolder, install } from '../tests/long/agents/install.ts';
import { programs } from '../tests/long/agents/programs.ts';

// Installs the real agent programs into a cache outside the repository, lists those that cannot be installed, and plays every scene.
const root = join(import.meta.dirname, '..');
const env = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
process.env.PATH = env.PATH;

process.stdout.write(`Programs in ${cacheFolder()}\n`);
const found = programs.map((program) => {
  const result = install(program);
  const line =
    'why' in result
      ? `NOT INSTALLED, its scenes are skipped: ${result.why}`
      : `${result.version}${result.stale === undefined ? '' : ` (of an earlier run; ${result.stale})`}`;
  process.stdout.write(`  ${program.name.padEnd(20)} ${line}\n`);
  return result;
});

const installed = found.filter((one) => !('why' in one));
const { status } = spawnSync(
  'vitest',
  ['run', '--config', 'tests/long/agents/vitest.config.ts', ...process.argv.slice(2)],
  {
    cwd: root,
    env: { ...env, SIGNALBOX_AGENT_PROGRAMS: JSON.stringify(installed) },
    stdio: 'inherit',
  },
);
for (const one of found) if ('why' in one) process.stdout.write(`SKIPPED ${one.id}: ${one.why}\n`);
process.exitCode = status ?? 1;
