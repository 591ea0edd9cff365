import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../packages/service/src/app/system-clock.ts';
import { ClaudeSessions } from '../packages/service/src/coordination/agents/io/claude-sessions.ts';
import { GitLocator } from '../packages/service/src/coordination/agents/io/git-locator.ts';
import { createAgentWatch } from '../packages/service/src/coordination/agents/watch.ts';
import { createAnnouncements } from '../packages/service/src/kernel/announcements.ts';
import { install, load } from './peers/scratch.ts';

// The board over many transcripts: the first full board from cold files against `cat` over the same files, the cost of
// watching 50 live sessions, and how soon an append is noticed, compared with chokidar, which only reports it without reading. Cold needs root (it empties the page cache).
//   node bench/roster.bench.ts [transcripts=2000] [megabytes=1024] [rounds=3]
const [transcripts = 2000, megabytes = 1024, rounds = 3] = process.argv.slice(2).map(Number);
const living = 50;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const config = join(folder, '.claude');
const children: ChildProcess[] = [];
const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
const folderOf = (n: number) => join(config, 'projects', `-fx-repos-r${n % 300}`);
const fileOf = (n: number) => join(folderOf(n), `${idOf(n)}.jsonl`);
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function record(n: number, at: number, text = ''): string {
  const message = { id: 'm', stop_reason: 'end_turn', content: [{ type: 'text', text }] };
  const own = {
    isSidechain: false,
    entrypoint: 'cli',
    cwd: `/fx/repos/r${n % 300}`,
    sessionId: idOf(n),
    gitBranch: 'main',
  };
  return `${JSON.stringify({ parentUuid: null, ...own, version: '2.1.278', type: 'assistant', message, timestamp: new Date(at).toISOString() })}\n`;
}

function generate(): void {
  const each = Math.floor((megabytes * 1024 * 1024) / transcripts);
  for (let n = 0; n < transcripts; n++) {
    mkdirSync(folderOf(n), { recursive: true });
    const lines: string[] = [];
    for (let size = 0; size < each; ) {
      const line = record(n, Date.now() - (n + 1) * 60_000, 'x'.repeat(200 + ((size * 7 + n) % 6000)));
      lines.push(line);
      size += line.length;
    }
    writeFileSync(fileOf(n), lines.join(''));
  }
  mkdirSync(join(config, 'sessions'));
  for (let n = 0; n < living; n++) register(n);
}

function register(n: number): void {
  const child = spawn('sleep', ['3600'], { stdio: 'ignore' });
  children.push(child);
  const { pid = 0 } = child;
  const procStart = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
  const now = Date.now();
  const entry = { pid, sessionId: idOf(n), cwd: `/fx/repos/r${n % 300}`, procStart, entrypoint: 'cli', status: 'busy' };
  writeFileSync(
    join(config, 'sessions', `${pid}.json`),
    JSON.stringify({ ...entry, updatedAt: now, statusUpdatedAt: now }),
  );
}

function chill(): boolean {
  execFileSync('sync');
  try {
    writeFileSync('/proc/sys/vm/drop_caches', '3');
    return true;
  } catch {
    return false;
  }
}

function newWatch() {
  const announcements = createAnnouncements();
  const readers = [new ClaudeSessions({ path: config, clock: systemClock })];
  const fault = (error: unknown) => console.error(error);
  const watch = createAgentWatch({
    host: 'bench',
    readers,
    probe: new GitLocator(),
    clock: systemClock,
    announcements,
    onFault: fault,
  });
  return { watch, announcements };
}

async function firstBoard(): Promise<number> {
  const { watch } = newWatch();
  const began = performance.now();
  await watch.poll();
  const took = performance.now() - began;
  if (watch.sessions().length !== transcripts) throw new Error(`${watch.sessions().length} sessions on the board`);
  return took;
}

function catAll(): number {
  const began = performance.now();
  execFileSync('sh', ['-c', `find "$0" -name '*.jsonl' -exec cat {} + > /dev/null`, join(config, 'projects')]);
  return performance.now() - began;
}

async function share(ms: number): Promise<number> {
  const before = process.cpuUsage();
  await pause(ms);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 10 / ms;
}

/** The same with a widely used library. */
async function chokidarSees(): Promise<{ ready: number; idle: number; seen: number[] } | string> {
  const why = install('chokidar');
  if (why !== undefined) return why;
  const { watch } = await load('chokidar');
  const began = performance.now();
  const watcher = watch(join(config, 'projects'), { ignoreInitial: true });
  await new Promise((resolve) => watcher.once('ready', resolve));
  const ready = performance.now() - began;
  await pause(3_000);
  const idle = await share(10_000);
  const seen: number[] = [];
  for (let n = 0; n < living; n++) {
    const told = new Promise<void>((resolve) => {
      watcher.on('change', function heard(path: string) {
        if (path !== fileOf(n)) return;
        watcher.off('change', heard);
        resolve();
      });
    });
    await pause(100 + ((n * 37) % 90));
    const wrote = performance.now();
    appendFileSync(fileOf(n), record(n, Date.now()));
    await told;
    seen.push(performance.now() - wrote);
  }
  await watcher.close();
  return { ready, idle, seen };
}

async function watching(): Promise<{ idle: number; appended: number; seen: number[] }> {
  const { watch, announcements } = newWatch();
  const stop = await watch.start();
  await pause(3_000);
  const idle = await share(20_000);
  const seen: number[] = [];
  for (let n = 0; n < living; n++) {
    const told = new Promise<void>((resolve) => {
      const forget = announcements.listen((message) => {
        if (message.type !== 'agents_changed' || !message.data.sessions.includes(idOf(n))) return;
        forget();
        resolve();
      });
    });
    await pause(100 + ((n * 37) % 90));
    const began = performance.now();
    appendFileSync(fileOf(n), record(n, Date.now()));
    await told;
    seen.push(performance.now() - began);
  }
  const writer = setInterval(
    () => appendFileSync(fileOf(Math.floor(Math.random() * living)), record(0, Date.now())),
    20,
  );
  const appended = await share(5_000);
  clearInterval(writer);
  await stop();
  return { idle, appended, seen };
}

try {
  generate();
  const boards: number[] = [];
  const cats: number[] = [];
  let cold = true;
  for (let round = 0; round < rounds; round++) {
    cold = chill() && cold;
    cats.push(catAll());
    cold = chill() && cold;
    boards.push(await firstBoard());
  }
  const { idle, appended, seen } = await watching();
  const size = readdirSync(join(config, 'projects')).length;
  console.log(
    `${transcripts} transcripts of ${megabytes} MB in ${size} folders, ${cold ? 'cold' : 'WARM: run as root'}`,
  );
  console.log(
    `first full board ${median(boards).toFixed(0)} ms, cat ${median(cats).toFixed(0)} ms, ratio ${(median(boards) / median(cats)).toFixed(2)} (at most 0.6)`,
  );
  console.log(`watching ${living} living sessions, nothing moving: ${idle.toFixed(2)} % of a core (under 2)`);
  console.log(`the same with 50 appends a second: ${appended.toFixed(1)} % of a core`);
  console.log(
    `an append is seen after ${median(seen).toFixed(1)} ms at the median (within 2), ${Math.max(...seen).toFixed(1)} ms at most`,
  );
  const other = await chokidarSees();
  console.log(
    typeof other === 'string'
      ? `chokidar is not measured here: ${other}`
      : `chokidar: ready after ${other.ready.toFixed(0)} ms, idle ${other.idle.toFixed(2)} % of a core, an append is seen after ${median(other.seen).toFixed(1)} ms at the median, ${Math.max(...other.seen).toFixed(1)} ms at most`,
  );
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
}
