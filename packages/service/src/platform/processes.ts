import { errorCode } from '../kernel/error-code.ts';
import type { StartFormat } from './process-start.ts';

/** The live processes among these pids, each with its start time in the system's format; null if that cannot be read. */
export type ProcessTable = {
  startTimes(pids: readonly number[]): Promise<ReadonlyMap<number, string | null>>;
  /** The format of these start times; null if none are read. */
  startFormat: StartFormat | null;
  /**
   * The pids that belong to another PID namespace, with start times: containers that share a folder with this machine.
   * Missing on systems without such namespaces.
   */
  inOtherNamespaces?(starts: ReadonlyMap<number, string>): ReadonlySet<number>;
};

/** A running process of a tool. `args` is its command line, which is only inspected and never published. */
export type RunningProcess = {
  pid: number;
  /** The process that started it, if known. */
  parent?: number;
  cwd: string | null;
  startedAt: number | null;
  args: readonly string[];
};

export const hasCwd = (one: RunningProcess): one is RunningProcess & { cwd: string } => one.cwd !== null;

/** The running processes of one tool: their working directories and open files. */
export type ToolProcesses = {
  list(): Promise<readonly RunningProcess[]>;
  /** Open files by pid; null if the system does not report them. */
  openFiles(): Promise<ReadonlyMap<number, readonly string[]> | null>;
  /** Why the last answer is incomplete, and what to do about it; null if it is complete. */
  trouble?(): string | null;
};

/** Matches by name, or as a script run by an interpreter. `args` begins with the program, and is read only if needed. */
export function isProcessOf(tool: string, name: string, args: () => readonly string[]): boolean {
  if (name.startsWith(tool)) return true;
  if (name !== 'node' && name !== 'MainThread' && name !== 'bun') return false;
  const [, script = ''] = args();
  return script.split('/').some((part) => part === tool || part.startsWith(`${tool}.`) || part === `${tool}-code`);
}

/** Signal 0 only checks that the process exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
