import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { promisify } from 'node:util';

/** What the running processes of one tool do: where they stand and which files they hold open. */
export type ToolProcesses = {
  cwds(): Promise<string[]>;
  /** Held files by pid; null where the system does not tell. */
  openFiles(): Promise<ReadonlyMap<number, readonly string[]> | null>;
};

export function systemToolProcesses(tool: string, platform: NodeJS.Platform = process.platform): ToolProcesses {
  if (platform === 'linux') {
    return {
      cwds: async () => pidsOf(tool).flatMap((pid) => linkAt(`/proc/${pid}/cwd`) ?? []),
      openFiles: async () => openFilesOf(pidsOf(tool)),
    };
  }
  if (platform === 'darwin') {
    return {
      cwds: async () => [...((await lsof(['-a', '-d', 'cwd', '-c', tool])) ?? new Map()).values()].flat(),
      openFiles: () => lsof(['-c', tool]),
    };
  }
  return { cwds: async () => [], openFiles: async () => null };
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

/** Null when a process hides what it holds: its absence from the answer would mean nothing. One that just ended holds nothing. */
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
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    }
  }
  return openFiles;
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
