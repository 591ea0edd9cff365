import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';

/** A running process of the tool. `args` is its command line, which is looked at and never passed on. */
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
};

export function systemToolProcesses(tool: string, platform: NodeJS.Platform = process.platform): ToolProcesses {
  if (platform === 'linux') {
    return {
      list: async () => pidsOf(tool).map(processFromProc),
      openFiles: async () => openFilesOf(pidsOf(tool)),
    };
  }
  if (platform === 'darwin') {
    return { list: () => listFromLsof(tool), openFiles: () => lsof(['-c', tool]) };
  }
  return { list: async () => [], openFiles: async () => null };
}

function processFromProc(pid: number): RunningProcess {
  const args = textAt(`/proc/${pid}/cmdline`).split('\0');
  const parent = Number(statFields(pid)[1]);
  return { pid, parent, cwd: linkAt(`/proc/${pid}/cwd`), startedAt: startFromProc(pid), args };
}

/** The name before these fields may hold anything, brackets and blanks too. */
function statFields(pid: number): string[] {
  const stat = textAt(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** When a process started; null where the system does not tell. */
export const processStart = (pid: number, platform: NodeJS.Platform = process.platform): number | null =>
  platform === 'linux' ? startFromProc(pid) : null;

/** Ticks of a hundredth of a second after the system started. */
function startFromProc(pid: number): number | null {
  const ticks = Number(statFields(pid)[19]);
  const bootedAt = Number(/^btime (\d+)$/m.exec(textAt('/proc/stat'))?.[1]);
  return Number.isFinite(ticks) && Number.isFinite(bootedAt) ? bootedAt * 1000 + ticks * 10 : null;
}

/** `Sun Nov 15 10:00:00 2026` */
const wordsOfStart = 5;

async function listFromLsof(tool: string): Promise<RunningProcess[]> {
  const cwds = [...((await lsof(['-a', '-d', 'cwd', '-c', tool])) ?? new Map<number, readonly string[]>())];
  if (cwds.length === 0) return [];
  const columns = ['-o', 'pid=,ppid=,lstart=,command=', '-p', cwds.map(([pid]) => pid).join(',')];
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
  const { stdout } = await run('ps', columns, { env, timeout: 5_000 }).catch(() => ({ stdout: '' }));
  const lines = stdout.split('\n').flatMap((line) => {
    const [pid = '', parent, ...rest] = line.trim().split(/\s+/);
    const start = rest.slice(0, wordsOfStart).join(' ');
    const command = rest.slice(wordsOfStart).join(' ');
    return pid === '' ? [] : [[Number(pid), { parent: Number(parent), start, command }] as const];
  });
  const details = new Map(lines);
  return cwds.map(([pid, [cwd = null]]) => {
    const { parent = 0, start = '', command = '' } = details.get(pid) ?? {};
    const startedAt = Date.parse(`${start} UTC`);
    return { pid, parent, cwd, startedAt: Number.isFinite(startedAt) ? startedAt : null, args: command.split(' ') };
  });
}

/** By name, or as a script that an interpreter runs. */
function pidsOf(tool: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^[1-9]\d*$/.test(name))
    .map(Number)
    .filter((pid) => isProcessOf(tool, pid));
}

function isProcessOf(tool: string, pid: number): boolean {
  try {
    const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    if (name.startsWith(tool)) return true;
    if (name !== 'node' && name !== 'MainThread' && name !== 'bun') return false;
    const [, script = ''] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return script.split('/').some((part) => part === tool || part.startsWith(`${tool}.`) || part === `${tool}-code`);
  } catch {
    return false;
  }
}

/** Null when a process of ours hides what it holds: its absence from the answer would mean nothing. One that just ended holds nothing. */
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
      const ended = ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (!ended && !isOfAnotherUser(pid)) return null;
    }
  }
  return openFiles;
}

/** Whoever names a process like the tool must not hide what ours hold. The owner of its folder is root where it may not be traced. */
function isOfAnotherUser(pid: number): boolean {
  const uid = /^Uid:\t(\d+)/m.exec(textAt(`/proc/${pid}/status`))?.[1];
  return uid !== undefined && Number(uid) !== process.getuid?.();
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'latin1');
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

const run = promisify(execFile);

async function lsof(args: readonly string[]): Promise<ReadonlyMap<number, readonly string[]> | null> {
  const found = new Map<number, string[]>();
  try {
    // It exits with 1 when nothing fits; what it printed still counts.
    const { stdout } = await run('lsof', [...args, '-Fpn'], { timeout: 5_000, maxBuffer: 8 << 20 }).catch(
      (error) => error,
    );
    if (typeof stdout !== 'string') return null;
    let openFiles: string[] = [];
    for (const line of stdout.split('\n')) {
      if (line.startsWith('p')) {
        openFiles = [];
        found.set(Number(line.slice(1)), openFiles);
      } else if (line.startsWith('n/')) openFiles.push(line.slice(1));
    }
    return found;
  } catch {
    return null;
  }
}
