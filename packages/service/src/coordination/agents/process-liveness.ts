import { isSameStart, type StartFormat, startFormatOf } from '../../platform/process-start.ts';
import type { Liveness } from './ports.ts';

/** The live pids with their start times (null: unreadable), and the format this system uses for them. */
export type RunningProcesses = { living: ReadonlyMap<number, string | null>; own: StartFormat | null };

/**
 * Pids are reused: only a pid and start time together identify a process. A start in another system's format
 * (a folder shared with a container, WSL beside Windows) names a process that cannot be seen from here.
 */
export function livenessOf(pid: number, procStart: string | null, { living, own }: RunningProcesses): Liveness {
  const written = procStart === null ? undefined : startFormatOf(procStart);
  if (own !== null && written !== undefined && written !== own) return 'foreign';
  const start = living.get(pid);
  if (start === undefined) return 'dead';
  if (start === null || procStart === null || written === undefined) return 'live';
  return startFormatOf(start) !== written || isSameStart(start, procStart) ? 'live' : 'reused';
}
