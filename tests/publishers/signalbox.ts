import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { compileCache } from '../compile-cache.ts';
import { noteCommandLine } from '../exercised.ts';
import { followGroup, killGroup } from './kill-group.ts';

const main = join(import.meta.dirname, '../../packages/service/dist/cli/bin.js');

export type CommandOutput = { code: number | null; stdout: string; stderr: string };

/** The command line of the checkout, in a folder, without a terminal. */
export function signalbox(
  cwd: string,
  args: readonly string[],
  env: Record<string, string> = {},
  started: (child: ChildProcess) => void = () => undefined,
): Promise<CommandOutput> {
  noteCommandLine(args, env);
  const foreign = /^(SIGNALBOX|CLAUDE|VITEST|INIT_CWD|npm_|NODE_|TRACEPARENT)/;
  const kept = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd,
      // The console answers from the test process, which may be busy.
      env: { ...kept, ...compileCache, SIGNALBOX_PROBE_MS: '60000', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    followGroup(child);
    started(child);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => (stderr += text));
    child.on('close', (code) => {
      killGroup(child);
      resolve({ code, stdout, stderr });
    });
  });
}
