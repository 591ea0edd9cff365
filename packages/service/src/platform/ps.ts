import { instantOf } from './process-start.ts';
import { isAlive, type ProcessTable, type RunningProcess } from './processes.ts';
import { runProgram } from './run-program.ts';

/** `Sun Nov 15 10:00:00 2026` */
const wordsOfStart = 5;

/** Processes read from `ps` of macOS and the BSDs. */
export const psTable: ProcessTable = { startTimes, startFormat: 'date' };

/** Without `ps` start times are unknown, and every live pid counts. */
async function startTimes(pids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
  const alive = pids.filter(isAlive);
  if (alive.length === 0) return new Map();
  const living = new Map<number, string | null>(alive.map((pid) => [pid, null]));
  const printed = await runProgram('ps', ['-o', 'pid=,state=,lstart=', '-p', alive.join(',')]);
  if ('trouble' in printed) return living;
  for (const [pid, state, ...start] of wordsIn(printed.text)) {
    if (state?.startsWith('Z')) living.delete(Number(pid));
    else if (start.length > 0) living.set(Number(pid), start.join(' '));
  }
  return living;
}

/** Every running process, without its working directory; null if `ps` fails. */
export async function listProcesses(): Promise<readonly RunningProcess[] | null> {
  const printed = await runProgram('ps', ['-axww', '-o', 'pid=,ppid=,lstart=,command=']);
  if ('trouble' in printed) return null;
  return wordsIn(printed.text).map(([pid, parent, ...rest]) => {
    const startedAt = instantOf(rest.slice(0, wordsOfStart).join(' ')) ?? null;
    return { pid: Number(pid), parent: Number(parent), cwd: null, startedAt, args: rest.slice(wordsOfStart) };
  });
}

const wordsIn = (text: string): string[][] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid]) => /^\d+$/.test(pid ?? ''));

/** When a process started. */
export async function psStart(pid: number): Promise<number | null> {
  const start = (await startTimes([pid])).get(pid);
  return start == null ? null : (instantOf(start) ?? null);
}
