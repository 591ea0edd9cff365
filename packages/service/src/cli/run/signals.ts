import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A terminal sends Ctrl-C and hangup to the command itself; on a second signal most test runners stop at once. */
export const isForwarded = (signal: NodeJS.Signals, hasTerminal: boolean): boolean =>
  signal === 'SIGTERM' || !hasTerminal;

/** Forwards signals to the command; this process ends when the command does. */
export function forwardSignals(child: ChildProcess): () => void {
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const pass = (signal: NodeJS.Signals) => void (isForwarded(signal, hasTerminal) && child.kill(signal));
  for (const signal of signals) process.on(signal, pass);
  return () => {
    for (const signal of signals) process.off(signal, pass);
  };
}

export type ChildExit = { code: number | null; signal: NodeJS.Signals | null };

/** As a shell would tell it: 139 for a command that died of SIGSEGV. */
export const exitCodeOf = ({ code, signal }: ChildExit): number =>
  code ?? 128 + (signal ? constants.signals[signal] : 0);
