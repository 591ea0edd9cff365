import type { ChildProcess } from 'node:child_process';
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A terminal sends Ctrl-C and hangup to the command itself; on a second signal most test runners stop at once. */
export const isForwarded = (signal: NodeJS.Signals, hasTerminal: boolean): boolean =>
  signal === 'SIGTERM' || !hasTerminal;

/**
 * Active from before the start of the run is published until its end is published: a signal ends the command, and this
 * process only after it.
 */
export type HeldSignals = {
  /** The signal that arrived while no command ran. */
  readonly early: NodeJS.Signals | null;
  /** Forwards signals to this command from now on. */
  forwardTo(child: ChildProcess): void;
  /** The command has ended; from now on only a second signal ends this process. */
  ended(): void;
  release(): void;
};

export function holdSignals(): HeldSignals {
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  let child: ChildProcess | null = null;
  let early: NodeJS.Signals | null = null;
  let late = 0;
  let isOver = false;
  const heard = (signal: NodeJS.Signals) => {
    if (isOver) {
      late += 1;
      if (late > 1) process.exit(128 + constants.signals[signal]);
    } else if (child === null) early ??= signal;
    else if (isForwarded(signal, hasTerminal)) child.kill(signal);
  };
  for (const signal of signals) process.on(signal, heard);
  return {
    get early() {
      return early;
    },
    forwardTo(started) {
      child = started;
    },
    ended() {
      isOver = true;
    },
    release() {
      for (const signal of signals) process.off(signal, heard);
    },
  };
}

export type ChildExit = { code: number | null; signal: NodeJS.Signals | null };

/** The exit code as in a shell: 139 for a command killed by SIGSEGV. */
export const exitCodeOf = ({ code, signal }: ChildExit): number =>
  code ?? 128 + (signal ? constants.signals[signal] : 0);
