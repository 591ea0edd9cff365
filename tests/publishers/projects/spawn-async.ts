import { spawn } from 'node:child_process';

/** Runs a command in a folder and discards its output; resolves when it has ended, successfully or not. */
export function spawnAsync(
  command: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number | null }> {
  const foreign = /^(SIGNALBOX|VITEST|JEST|MOCHA|NODE_|CLAUDE|npm_)/;
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  return new Promise((resolve, reject) => {
    const [program = '', ...args] = command;
    const child = spawn(program, args, { cwd, env: { ...kept, ...env }, stdio: 'ignore' });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code }));
  });
}
