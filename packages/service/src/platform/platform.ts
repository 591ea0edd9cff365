import { statSync } from 'node:fs';
import { homedir, uptime } from 'node:os';
import { awakeClock, readEveryMs } from './awake-clock.ts';
import { procBootId, sysctlBootId } from './boot-id.ts';
import { linuxOpeners, macOpeners, type Opened, openWith, windowsOpeners } from './browser.ts';
import type { CommandLine } from './command-line.ts';
import { silentFileSystem } from './folder-events.ts';
import { launchdOf } from './launchd.ts';
import { lsofToolProcesses } from './lsof.ts';
import { linuxNotifier, macNotifier, type Notification, windowsNotifier } from './notification.ts';
import { procStart, procTable, procToolProcesses } from './proc-processes.ts';
import { isAlive, type ProcessTable, type ToolProcesses } from './processes.ts';
import { listProcesses, psStart, psTable } from './ps.ts';
import type { NoServiceManager, ServiceManager, User } from './service-manager.ts';
import { findSystemd } from './systemd.ts';
import { type Startable, windowsCommand } from './windows-command.ts';
import { windowsSide } from './wsl.ts';

/** Everything that differs between operating systems. No other code checks which system it runs on. */
export type Platform = {
  name: 'Linux' | 'macOS' | 'Windows' | 'unknown';
  processes: ProcessTable;
  toolProcesses(tool: string): ToolProcesses;
  /** When a process started, in milliseconds since 1970; null if the system does not report it. */
  processStart(pid: number): Promise<number | null>;
  /** Milliseconds of a clock that stops while the machine sleeps. */
  monotonicClock: () => number;
  /** Milliseconds of a clock that continues while the machine sleeps; undefined if there is none. */
  bootClock?: () => number;
  /** The kind of file system under a path if changes do not reach a watch; null if they do. */
  silentFileSystem(path: string): string | null;
  /** An id of this machine since its last boot, independent of its name; null if the system has none. */
  bootId(): string | null;
  /** How to let this process read a folder to which the system denies access. */
  howToPermit: string;
  /** How to start a typed command with its arguments unchanged. */
  startable(command: readonly string[]): Startable;
  /** Opens a page in the user's browser, or returns why not; never throws. */
  openInBrowser(url: string): Promise<Opened>;
  /** The program that shows a notification on the desktop. */
  notifier(notification: Notification): CommandLine;
  /** The service manager that keeps a program of this user running, or why there is none. */
  serviceManager(): Promise<ServiceManager | NoServiceManager>;
  /** The address of the other side of the machine, such as Windows for WSL; null if there is none. */
  otherSide(): string | null;
  /** What else to try on this system if no service answers at `localhost`. */
  whereUnreachable: string | null;
  /** Why the service itself cannot run here, and what to do; null if it can. */
  unsupported: string | null;
};

/** For systems that report neither start times nor open files: a live pid counts as the same process. */
const untold = {
  processes: {
    startTimes: async (pids: readonly number[]) => new Map(pids.filter(isAlive).map((pid) => [pid, null])),
    startFormat: null,
  },
  toolProcesses: () => ({ list: async () => [], openFiles: async () => null }),
  processStart: async () => null,
  silentFileSystem: () => null,
  bootId: () => null,
  howToPermit: 'give the user that runs signalbox read access',
};

const asTyped = ([program = '', ...args]: readonly string[]): Startable => ({ program, args, verbatim: false });
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const user = (): User => ({ home: homedir(), env: process.env, uid: process.getuid?.() ?? 0 });

const noManager = async (): Promise<NoServiceManager> => ({
  kind: 'none',
  reason:
    'Signalbox does not support the service manager of this system. Run "signalbox start" under your own process manager.',
});

const linux: Platform = {
  name: 'Linux',
  processes: procTable,
  toolProcesses: procToolProcesses,
  processStart: async (pid) => procStart(pid),
  monotonicClock: () => performance.now(),
  bootClock: () => uptime() * 1000,
  silentFileSystem,
  bootId: procBootId,
  howToPermit: 'give the user that runs signalbox read access',
  startable: asTyped,
  openInBrowser: (url) => openWith(linuxOpeners, url),
  notifier: (notification) => linuxNotifier(notification, process.env),
  serviceManager: () => findSystemd(user()),
  otherSide: () => windowsSide(process.env),
  whereUnreachable: null,
  unsupported: null,
};

/** Five tools are searched for at nearly the same time, so they share one answer. */
const listOnce = remembered(500, listProcesses);

const macOS: Platform = {
  name: 'macOS',
  processes: psTable,
  toolProcesses: (tool) => lsofToolProcesses(tool, listOnce),
  processStart: psStart,
  monotonicClock: clockWithoutSleep(),
  bootClock: () => performance.now(),
  silentFileSystem: () => null,
  bootId: sysctlBootId,
  howToPermit:
    'allow your terminal "Full Disk Access" in System Settings, Privacy & Security, then start signalbox again',
  startable: asTyped,
  openInBrowser: (url) => openWith(macOpeners, url),
  notifier: macNotifier,
  serviceManager: async () => launchdOf(user()),
  otherSide: () => null,
  whereUnreachable: null,
  unsupported: null,
};

const onWindows =
  'The service itself runs on Linux and macOS. On Windows run it inside WSL: "wsl --install" once, then install Node and start signalbox there. Publishers, connect and the other commands run here, and reach it at http://localhost:5526.';

const windows: Platform = {
  name: 'Windows',
  ...untold,
  monotonicClock: clockWithoutSleep(),
  bootClock: () => performance.now(),
  startable: (command) => windowsCommand(command, { env: process.env, isFile }),
  openInBrowser: (url) => openWith(windowsOpeners, url),
  notifier: windowsNotifier,
  serviceManager: async () => ({ kind: 'none', reason: onWindows }),
  otherSide: () => null,
  whereUnreachable:
    'If the service runs in WSL and localhost does not reach it (see localhostForwarding in .wslconfig), "wsl hostname -I" prints its address.',
  unsupported: onWindows,
};

const other: Platform = {
  name: 'unknown',
  ...untold,
  monotonicClock: () => performance.now(),
  startable: asTyped,
  openInBrowser: (url) => openWith(linuxOpeners, url),
  notifier: (notification) => linuxNotifier(notification, process.env),
  serviceManager: noManager,
  otherSide: () => null,
  whereUnreachable: null,
  unsupported: null,
};

/** The monotonic clock of macOS and Windows continues while the machine sleeps. */
function clockWithoutSleep(): () => number {
  let read: (() => number) | undefined;
  return () => {
    if (read === undefined) {
      read = awakeClock(() => performance.now());
      setInterval(read, readEveryMs).unref();
    }
    return read();
  };
}

const platforms: Partial<Record<NodeJS.Platform, Platform>> = { linux, darwin: macOS, win32: windows };

export const platformOf = (name: NodeJS.Platform): Platform => platforms[name] ?? other;

/** The system that this process runs on. */
export const platform: Platform = platformOf(process.platform);

function remembered<Answer>(ms: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let last: { at: number; answer: Promise<Answer> } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.at > ms) last = { at: performance.now(), answer: ask() };
    return last.answer;
  };
}
