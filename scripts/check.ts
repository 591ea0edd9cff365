import { spawn } from 'node:child_process';
import { join } from 'node:path';

// Runs every static check; output is shown only for failed ones.
const checks: Record<string, readonly string[]> = {
  types: ['tsc', '-p', 'tsconfig.json'],
  'pure types': ['tsc', '-p', 'packages/service/tsconfig.pure.json'],
  'web types': ['tsc', '-p', 'packages/web/tsconfig.json'],
  imports: ['node', 'scripts/check-imports.ts'],
  generated: ['node', 'scripts/generate.ts', '--check'],
  expressions: ['node', 'scripts/check-expressions.ts'],
  'dead code': ['knip', '--no-progress', '--no-config-hints'],
  lint: ['biome', 'check', '--error-on-warnings', '--max-diagnostics=50', '.'],
};

const root = join(import.meta.dirname, '..');

function run(name: string, [command = '', ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
    });
    let output = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (output += text));
    child.on('close', (code) => {
      process.stdout.write(code === 0 ? `ok      ${name}\n` : `FAILED  ${name}\n${output}\n`);
      resolve(code === 0);
    });
  });
}

const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));
process.exitCode = results.every(Boolean) ? 0 : 1;
