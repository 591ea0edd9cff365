import { execFile } from 'node:child_process';
import { errorCode } from '../kernel/error-code.ts';

/** The output of a system program, or why it is not reliable. */
export type Printed = { text: string } | { trouble: 'missing' | 'stopped' | 'failed' };

/**
 * Runs a program of the system in UTC and English, whatever this process's zone and language are. The output of a
 * program that had to be stopped is incomplete, so it is discarded.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs = 5_000, exitCodes = [0] }: { timeoutMs?: number; exitCodes?: readonly number[] } = {},
): Promise<Printed> {
  const options = { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, timeout: timeoutMs, maxBuffer: 8 << 20 };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout) => {
      const { code = 0, killed = false, signal = null } = error ?? {};
      if (errorCode(error) === 'ENOENT') resolve({ trouble: 'missing' });
      else if (killed || signal !== null) resolve({ trouble: 'stopped' });
      else resolve(exitCodes.includes(Number(code)) ? { text: stdout } : { trouble: 'failed' });
    });
  });
}
