import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { StartFormat } from '../process-start.ts';

/** The living among these pids, with when each started in the system's own words; null where that cannot be read. */
export type ProcessTable = {
  startTimes(pids: readonly number[]): Promise<ReadonlyMap<number, string | null>>;
  /** The format of those start times; null where none are read. */
  startFormat: StartFormat | null;
};

export function systemProcessTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === 'linux') {
    return { startTimes: async (pids) => new Map(pids.flatMap(fromProc)), startFormat: 'ticks' };
  }
  if (platform === 'darwin') return { startTimes: fromPs, startFormat: 'date' };
  return { startTimes: async (pids) => new Map(pids.filter(isAlive).map((pid) => [pid, null])), startFormat: null };
}

/** Signal 0 asks and does nothing. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function fromProc(pid: number): [number, string | null][] {
  if (!isAlive(pid)) return [];
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in the second field may hold anything, brackets and blanks too.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie answers signals but does nothing any more.
    return fields[0] === 'Z' || fields[0] === 'X' ? [] : [[pid, fields[19] ?? null]];
  } catch (error) {
    const gone = ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
    return gone ? [] : [[pid, null]];
  }
}

const run = promisify(execFile);

async function fromPs(pids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
  const alive = pids.filter(isAlive);
  if (alive.length === 0) return new Map();
  const living = new Map<number, string | null>(alive.map((pid) => [pid, null]));
  try {
    const args = ['-o', 'pid=,state=,lstart=', '-p', alive.join(',')];
    // The registry writes the start in UTC and English, whatever this process's zone and language are.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    const { stdout } = await run('ps', args, { env, timeout: 5_000 });
    for (const line of stdout.split('\n')) {
      const [pid = '', state, ...start] = line.trim().split(/\s+/);
      if (pid === '' || start.length === 0) continue;
      if (state?.startsWith('Z')) living.delete(Number(pid));
      else living.set(Number(pid), start.join(' '));
    }
  } catch {
    // Without ps the start times stay unknown, and every living pid counts.
  }
  return living;
}
