import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { platform } from '../../platform/platform.ts';
import { OutputLines } from './output-lines.ts';
import type { ChildExit, HeldSignals } from './signals.ts';

export type Hearing = {
  /** The output streams that are read as well as passed on; the others go directly to the terminal. */
  stdout: boolean;
  stderr: boolean;
  line(text: string, from: 'stdout' | 'stderr'): void;
};

export async function runChild(
  command: readonly string[],
  cwd: string,
  env: Record<string, string | undefined>,
  hearing: Hearing,
  signals: HeldSignals,
): Promise<ChildExit> {
  if (signals.early !== null) return { code: null, signal: signals.early };
  const { program, args, verbatim: windowsVerbatimArguments } = platform.startable(command);
  const { stdout, stderr } = hearing;
  const child = spawn(program, args, {
    cwd,
    stdio: ['inherit', stdout ? 'pipe' : 'inherit', stderr ? 'pipe' : 'inherit'],
    windowsVerbatimArguments,
    env: { ...process.env, ...env },
  });
  if (child.stdout) pass(child.stdout, process.stdout, (text) => hearing.line(text, 'stdout'));
  if (child.stderr) pass(child.stderr, process.stderr, (text) => hearing.line(text, 'stderr'));
  signals.forwardTo(child);
  return new Promise((done) => {
    child.on('error', (fault) => {
      process.stderr.write(`${command[0]} cannot be started: ${fault.message}\n`);
      signals.ended();
      done({ code: 127, signal: null });
    });
    child.on('close', (code, signal) => {
      signals.ended();
      done({ code, signal });
    });
  });
}

function pass(from: Readable, to: Writable, line: (text: string) => void): void {
  const lines = new OutputLines();
  from.pipe(to, { end: false });
  from.on('data', (piece: Buffer) => {
    for (const text of lines.take(piece)) line(text);
  });
  from.on('end', () => {
    for (const text of lines.last()) line(text);
  });
}
