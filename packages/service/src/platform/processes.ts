import { errorCode } from '../kernel/error-code.ts';
import type { StartFormat } from './process-start.ts';

/** The living among these pids, with when each started in the system's own words; null where that cannot be read. */
export type ProcessTable = {
  startTimes(pids: readonly number[]): Promise<ReadonlyMap<number, string | null>>;
  /** The format of those start times; null where none are read. */
  startFormat: StartFormat | null;
  /**
   * Those of these pids that name a process of another PID namespace, by pid and start: containers that share a folder
   * with this machine. Missing where the system has no such namespaces.
   */
  inOtherNamespaces?(starts: ReadonlyMap<number, string>): ReadonlySet<number>;
};

/** A running process of a tool. `args` is its command line, which is looked at and never passed on. */
export type RunningProcess = {
  pid: number;
  /** The process that started it, where that is known. */
  parent?: number;
  cwd: string | null;
  startedAt: number | null;
  args: readonly string[];
};

export const hasCwd = (one: RunningProcess): one is RunningProcess & { cwd: string } => one.cwd !== null;

/** What the running processes of one tool do: where they work and which files they hold open. */
export type ToolProcesses = {
  list(): Promise<readonly RunningProcess[]>;
  /** Held files by pid; null where the system does not tell. */
  openFiles(): Promise<ReadonlyMap<number, readonly string[]> | null>;
  /** Why the last answer is not the whole truth, and what to do about it; null when it is. */
  trouble?(): string | null;
};

/** By name, or as a script that an interpreter runs. `args` begins with the program, and is read only where that matters. */
export function isProcessOf(tool: string, name: string, args: () => readonly string[]): boolean {
  if (name.startsWith(tool)) return true;
  if (name !== 'node' && name !== 'MainThread' && name !== 'bun') return false;
  const [, script = ''] = args();
  return script.split('/').some((part) => part === tool || part.startsWith(`${tool}.`) || part === `${tool}-code`);
}

/** Signal 0 asks and does nothing. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
