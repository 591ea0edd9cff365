import { execFile } from 'node:child_process';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { realPath } from '../files/real-path.ts';
import type { Platform } from '../platform/platform.ts';
import { isSameStart } from '../platform/process-start.ts';
import { openDatabase } from '../store/sqlite/sqlite-ledger.ts';

/** One promise of the platform adapter, tested on this machine. */
export type Proof = { about: string; state: 'ok' | 'warning' | 'wrong'; found: string };

type Tools = { folder: string; platform: Platform };
type Verdict = Pick<Proof, 'state' | 'found'>;

const ok = (found: string): Verdict => ({ state: 'ok', found });
const wrong = (found: string): Verdict => ({ state: 'wrong', found });
const warning = (found: string): Verdict => ({ state: 'warning', found });

/** A reading may be wrong by this much: it is truncated to seconds, and so is the start of the system that it counts from. */
const startToleranceMs = 2_000;
const watchMs = 3_000;

/** Tests every promise of the platform adapter. Uses a temporary folder, which is removed afterwards. */
export async function provePlatform(platform: Platform): Promise<Proof[]> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'));
  const tools = { folder, platform };
  const tries: [string, (tools: Tools) => Verdict | Promise<Verdict>][] = [
    ['system', ({ platform: { name } }) => ok(`${name} ${release()} ${process.arch}, Node ${process.versions.node}`)],
    [
      'zone and language',
      () => ok(`${Intl.DateTimeFormat().resolvedOptions().timeZone}, ${process.env.LANG ?? 'LANG is not set'}`),
    ],
    ['process start time', proveStart],
    ['live process by pid and start time', proveIdentity],
    ['open file and working directory of a process', proveOpenFile],
    ['folder events', proveWatch],
    ['SQLite flushes', provePragmas],
    ['duration of a flush', timeFlush],
    ['letter case of file names', tellCase],
    ['temporary folder', () => ok(spelled(tmpdir(), realPath(tmpdir())))],
    ['clock during sleep', proveClocks],
    ['hooks without node', proveHooks],
    ['boot id', ({ platform: { bootId } }) => tellBoot(bootId())],
    ['service manager', proveManager],
  ];
  try {
    const proofs: Proof[] = [];
    for (const [about, prove] of tries) {
      proofs.push({
        about,
        ...(await Promise.resolve(tools)
          .then(prove)
          .catch((fault: Error) => wrong(fault.message))),
      });
    }
    return proofs;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const spelled = (path: string, real: string): string => (path === real ? path : `${path} is ${real}`);

/**
 * A process that is started here began between the call that starts it and its first output, however slow the machine
 * is.
 */
async function proveStart({ platform }: Tools): Promise<Verdict> {
  const ordered = Date.now();
  const child = execFile(process.execPath, ['-e', `console.log('up'); setTimeout(() => {}, 20_000)`]);
  try {
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const spoke = Date.now();
    const told = await platform.processStart(child.pid ?? 0);
    if (told === null) return warning('unknown on this system: a live pid counts as the same process');
    const isBetween = ordered - startToleranceMs <= told && told <= spoke + startToleranceMs;
    const found = `${new Date(told).toISOString()}, of a process started at ${new Date(ordered).toISOString()}`;
    return isBetween ? ok(found) : wrong(found);
  } finally {
    child.kill('SIGKILL');
  }
}

async function proveIdentity({ platform }: Tools): Promise<Verdict> {
  const child = execFile(process.execPath, ['-e', 'setTimeout(() => {}, 20_000)']);
  try {
    const first = (await platform.processes.startTimes([child.pid ?? 0])).get(child.pid ?? 0);
    await pause(1_100);
    const second = (await platform.processes.startTimes([child.pid ?? 0])).get(child.pid ?? 0);
    if (first === undefined || second === undefined) return wrong('a live process was not found');
    if (first === null || second === null) return warning('found alive, but its start time cannot be read');
    return isSameStart(first, second)
      ? ok(`${first}, and unchanged a second later`)
      : wrong(`${first}, then ${second}`);
  } finally {
    child.kill('SIGKILL');
  }
}

async function proveOpenFile({ platform, folder }: Tools): Promise<Verdict> {
  const cwd = realPath(folder);
  const [file, script] = [join(cwd, 'held open.txt'), join(cwd, 'signalbox-doctor.cjs')];
  const lines = `require('fs').openSync(process.argv[2], 'a'); console.log('open'); setTimeout(() => {}, 20_000);`;
  writeFileSync(script, lines);
  const child = execFile(process.execPath, [script, file], { cwd });
  try {
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    const processes = platform.toolProcesses('signalbox-doctor');
    const files = await processes.openFiles();
    if (files === null) return warning(processes.trouble?.() ?? 'this system does not report open files');
    const told = (await processes.list()).find(({ pid }) => pid === child.pid);
    if (!files.get(child.pid ?? 0)?.includes(file)) return wrong('a file held open by a process was not found');
    return told?.cwd === cwd ? ok('both found') : wrong(`its directory was reported as ${told?.cwd}`);
  } finally {
    child.kill('SIGKILL');
  }
}

async function proveWatch({ platform, folder }: Tools): Promise<Verdict> {
  const silent = platform.silentFileSystem(folder);
  const began = performance.now();
  const event = new Promise<number>((resolve) => {
    const watcher = watch(folder, { persistent: false }, () => {
      watcher.close();
      resolve(performance.now() - began);
    });
  });
  writeFileSync(join(folder, 'watched.txt'), 'x');
  const ms = await Promise.race([event, pause(watchMs, null)]);
  if (ms === null) return warning('no change event within 3 s, so such folders are polled');
  return ok(
    `first event after ${ms.toFixed(1)} ms${silent ? `, although ${silent} does not report changes made on other machines` : ''}`,
  );
}

/** The store sets the pragmas and reads them back; it throws if one did not take effect. */
function provePragmas({ folder }: Tools): Verdict {
  openDatabase(join(folder, 'doctor.sqlite')).close();
  return ok('fullfsync on, checkpoint_fullfsync on');
}

function timeFlush({ folder }: Tools): Verdict {
  const file = openSync(join(folder, 'flushed.txt'), 'w');
  try {
    const times = Array.from({ length: 20 }, () => {
      writeSync(file, 'x'.repeat(4096));
      const began = performance.now();
      fsyncSync(file);
      return performance.now() - began;
    }).sort((a, b) => a - b);
    return ok(`${times[10]?.toFixed(2)} ms for 4 KB, the slowest of 20 ${times[19]?.toFixed(2)} ms`);
  } finally {
    closeSync(file);
  }
}

function tellCase({ folder }: Tools): Verdict {
  writeFileSync(join(folder, 'case.txt'), '');
  return ok(existsSync(join(folder, 'CASE.TXT')) ? 'not distinguished' : 'distinguished');
}

function proveClocks({ platform }: Tools): Verdict {
  const boot = platform.bootClock?.();
  if (boot === undefined) return warning('no clock runs during sleep: the wall clock is used instead');
  return ok(`up for ${Math.round(boot / 1_000)} s, and the clock runs while the machine sleeps`);
}

const tellBoot = (id: string | null): Verdict =>
  id === null ? warning('unknown: the machine is identified by its name, which may change with the network') : ok(id);

async function proveManager({ platform }: Tools): Promise<Verdict> {
  const manager = await platform.serviceManager();
  return manager.kind === 'none' ? warning(manager.reason) : ok(manager.kind);
}

/** The agent's own shell runs the hooks of `connect --hooks`, and `node` may not be on its PATH. */
async function proveHooks({ folder }: Tools): Promise<Verdict> {
  const [shell, curl] = await Promise.all(['sh', 'curl'].map(pathOf));
  if (!shell || !curl) return warning('sh or curl is not on the PATH: hooks do nothing');
  const only = join(folder, 'without-node');
  mkdirSync(only);
  symlinkSync(curl, join(only, 'curl'));
  const script = 'command -v node && exit 3; curl --version > /dev/null';
  const code = await exitOf(shell, ['-c', script], { ...process.env, PATH: only });
  return code === 0 ? ok('sh and curl run without it') : wrong(`sh exited with ${code}`);
}

const pathOf = (program: string): Promise<string | null> =>
  new Promise((resolve) => {
    execFile('sh', ['-c', `command -v ${program}`], (error, stdout) => resolve(error ? null : stdout.trim() || null));
  });

const exitOf = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> =>
  new Promise((resolve) => {
    const child = execFile(program, args, { env });
    child.once('error', () => resolve(127));
    child.once('exit', (status) => resolve(status ?? 1));
  });
