import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { errorCode } from '../kernel/error-code.ts';
import { isAlive, isProcessOf, type ProcessTable, type RunningProcess, type ToolProcesses } from './processes.ts';

/** Processes read from Linux's `/proc`. */
export const procTable: ProcessTable = {
  startTimes: async (pids) => new Map(pids.flatMap(startOf)),
  startFormat: 'ticks',
  inOtherNamespaces,
};

export const procToolProcesses = (tool: string): ToolProcesses => ({
  list: async () => pidsOf(tool).map(processFromProc),
  openFiles: async () => openFilesOf(pidsOf(tool)),
});

function startOf(pid: number): [number, string | null][] {
  if (!isAlive(pid)) return [];
  try {
    const fields = fieldsOf(readFileSync(`/proc/${pid}/stat`, 'latin1'));
    // A zombie accepts signals but has ended.
    return fields[0] === 'Z' || fields[0] === 'X' ? [] : [[pid, fields[19] ?? null]];
  } catch (error) {
    return isGone(error) ? [] : [[pid, null]];
  }
}

/** The first PID namespace of Linux always has this number. All processes can be seen only from there. */
const firstNamespace = 'pid:[4026531836]';

function inOtherNamespaces(starts: ReadonlyMap<number, string>): ReadonlySet<number> {
  if (starts.size === 0) return new Set();
  if (linkAt('/proc/self/ns/pid') !== firstNamespace) return new Set(starts.keys());
  const found = new Set<number>();
  for (const pid of allPids()) {
    const [, inner] = /^NSpid:(?:\t\d+)+\t(\d+)$/m.exec(textAt(`/proc/${pid}/status`)) ?? [];
    const start = inner === undefined ? undefined : starts.get(Number(inner));
    if (start !== undefined && startOf(pid)[0]?.[1] === start) found.add(Number(inner));
  }
  return found;
}

/** The name before these fields may contain anything, including brackets and spaces. */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ');

const isGone = (error: unknown): boolean => ['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '');

function processFromProc(pid: number): RunningProcess {
  const parent = Number(fieldsOf(textAt(`/proc/${pid}/stat`))[1]);
  return { pid, parent, cwd: linkAt(`/proc/${pid}/cwd`), startedAt: procStart(pid), args: argsOf(pid) };
}

const argsOf = (pid: number): string[] => textAt(`/proc/${pid}/cmdline`, 'utf8').split('\0');

/** When a process started, in hundredths of a second since boot. */
export function procStart(pid: number): number | null {
  const ticks = Number(fieldsOf(textAt(`/proc/${pid}/stat`))[19]);
  const bootedAt = Number(/^btime (\d+)$/m.exec(textAt('/proc/stat'))?.[1]);
  return Number.isFinite(ticks) && Number.isFinite(bootedAt) ? bootedAt * 1000 + ticks * 10 : null;
}

const allPids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number);

function pidsOf(tool: string): number[] {
  return allPids().filter((pid) => isProcessOf(tool, textAt(`/proc/${pid}/comm`).trim(), () => argsOf(pid)));
}

/** Null if the open files of one of our processes cannot be read, because the answer would be incomplete. A process that has just ended has none. */
export function openFilesOf(pids: readonly number[]): ReadonlyMap<number, readonly string[]> | null {
  const openFiles = new Map<number, readonly string[]>();
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`;
    try {
      openFiles.set(
        pid,
        readdirSync(folder).flatMap((fd) => linkAt(`${folder}/${fd}`) ?? []),
      );
    } catch (error) {
      if (!isGone(error) && !isOfAnotherUser(pid)) return null;
    }
  }
  return openFiles;
}

/**
 * A process of another user with the tool's name must not hide the files of our processes. Its folder in `/proc`
 * belongs to root if it may not be traced.
 */
function isOfAnotherUser(pid: number): boolean {
  const uid = /^Uid:\t(\d+)/m.exec(textAt(`/proc/${pid}/status`))?.[1];
  return uid !== undefined && Number(uid) !== process.getuid?.();
}

function textAt(path: string, encoding: 'latin1' | 'utf8' = 'latin1'): string {
  try {
    return readFileSync(path, encoding);
  } catch {
    return '';
  }
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path).replace(/ \(deleted\)$/, '');
  } catch {
    return null;
  }
}
