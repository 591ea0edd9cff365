import { basename } from 'node:path';
import { isProcessOf, type RunningProcess, type ToolProcesses } from './processes.ts';
import { runProgram } from './run-program.ts';

type OpenFiles = { cwd: string | null; files: string[] };

/** An idle process keeps its open files: it is queried again after this time, or immediately when another process appears. */
const againMs = 5_000;
/** After a timeout the program is not called for this long, because each call delays the check of all sessions. */
const backOffMs = 25_000;

const troubles = {
  missing: 'lsof is not installed, so open sessions cannot be detected: install lsof',
  stopped: 'lsof timed out, so open sessions cannot be detected: the next check tries again',
  failed: 'lsof failed, so open sessions cannot be detected: run lsof -nPw to see why',
  ps: 'ps did not answer, so running and ended sessions cannot be distinguished',
};

/** The open files of a tool's processes on systems without `/proc`: `ps` finds the processes, and `lsof` is called for only these pids. */
export function lsofToolProcesses(
  tool: string,
  listProcesses: () => Promise<readonly RunningProcess[] | null>,
  { now = () => performance.now(), timeoutMs = 5_000 }: { now?: () => number; timeoutMs?: number } = {},
): ToolProcesses {
  let asked: { pids: string; at: number; answer: ReadonlyMap<number, OpenFiles> } | null = null;
  let trouble: string | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let running: readonly RunningProcess[] = [];

  async function look(): Promise<ReadonlyMap<number, OpenFiles> | null> {
    const all = await listProcesses();
    if (all === null) {
      trouble = troubles.ps;
      return null;
    }
    const found = all.filter(({ args }) => isProcessOf(tool, basename(args[0] ?? ''), () => args));
    running = found;
    const pids = found.map(({ pid, startedAt }) => `${pid}@${startedAt}`).join(',');
    if (asked?.pids === pids && now() - asked.at < againMs) {
      trouble = null;
      return asked.answer;
    }
    if (now() - failedAt < backOffMs) return null;
    const answer = await openFilesOf(
      found.map(({ pid }) => pid),
      timeoutMs,
    );
    asked = typeof answer === 'string' ? null : { pids, at: now(), answer };
    trouble = typeof answer === 'string' ? answer : null;
    failedAt = trouble === null ? Number.NEGATIVE_INFINITY : now();
    return asked?.answer ?? null;
  }

  return {
    async list() {
      const open = await look();
      return running.map((one) => ({ ...one, cwd: open?.get(one.pid)?.cwd ?? null }));
    },
    async openFiles() {
      const open = await look();
      return open && new Map([...open].map(([pid, { files }]) => [pid, files]));
    },
    trouble: () => trouble,
  };
}

/** The open files by pid, or the reason why they are unknown. */
async function openFilesOf(
  pids: readonly number[],
  timeoutMs: number,
): Promise<ReadonlyMap<number, OpenFiles> | string> {
  if (pids.length === 0) return new Map();
  // lsof exits with 1 if one of the pids has ended; its output about the others is still valid.
  const args = ['-nPw', '-a', '-p', pids.join(','), '-Fpfn'];
  const printed = await runProgram('lsof', args, { timeoutMs, exitCodes: [0, 1] });
  return 'trouble' in printed ? troubles[printed.trouble] : parseLsof(printed.text);
}

/** One field per line, named by its first letter: `p` begins a process, `f` a descriptor, `n` is its file. */
export function parseLsof(text: string): Map<number, OpenFiles> {
  const found = new Map<number, OpenFiles>();
  let current: OpenFiles = { cwd: null, files: [] };
  let descriptor = '';
  for (const line of text.split('\n')) {
    const value = line.slice(1);
    if (line[0] === 'p') {
      current = { cwd: null, files: [] };
      found.set(Number(value), current);
    } else if (line[0] === 'f') descriptor = value;
    else if (line[0] === 'n' && value.startsWith('/')) {
      if (descriptor === 'cwd') current.cwd = unescaped(value);
      else current.files.push(unescaped(value));
    }
  }
  return found;
}

/** lsof writes bytes that are not printable ASCII as `\xc3`, and some by a letter. */
function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  const plain: Record<string, number> = { '\\': 92, b: 8, f: 12, n: 10, r: 13, t: 9 };
  const bytes = [...name.matchAll(/\\x([0-9a-f]{2})|\\([\\bfnrt])|([^\\]|\\)/gi)].flatMap(([, hex, letter, other]) => {
    if (hex !== undefined) return [Number.parseInt(hex, 16)];
    return letter === undefined ? [...Buffer.from(other ?? '')] : [plain[letter] ?? 0];
  });
  return Buffer.from(bytes).toString('utf8');
}
