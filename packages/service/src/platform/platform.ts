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

/** What differs from system to system. Everything else asks this; nothing else asks which system it is on. */
export type Platform = {
  name: 'Linux' | 'macOS' | 'Windows' | 'unknown';
  processes: ProcessTable;
  toolProcesses(tool: string): ToolProcesses;
  /** When a process started, in milliseconds since 1970; null where the system does not tell. */
  processStart(pid: number): Promise<number | null>;
  /** Milliseconds that stand still while the machine sleeps. */
  monotonicClock: () => number;
  /** Milliseconds that go on while the machine sleeps; undefined where no clock does. */
  bootClock?: () => number;
  /** The kind of file system under a path where changes do not reach a watch; null where they do. */
  silentFileSystem(path: string): string | null;
  /** What names this machine since its last start, whatever it is called; null where the system does not tell. */
  bootId(): string | null;
  /** What lets this process read a folder that the system keeps from it. */
  howToPermit: string;
  /** How a command that someone typed is started, each argument as it was given. */
  startable(command: readonly string[]): Startable;
  /** Opens a page in the user's browser, or says why not; never a fault. */
  openInBrowser(url: string): Promise<Opened>;
  /** The program that shows a notification on the desktop. */
  notifier(notification: Notification): CommandLine;
  /** What keeps a program of this user running over logins, or why nothing does. */
  serviceManager(): Promise<ServiceManager | NoServiceManager>;
  /** The address of the other half of a machine that has two, such as Windows for WSL; null where there is none. */
  otherSide(): string | null;
  /** What else to try on this system where no service answers at `localhost`. */
  whereUnreachable: string | null;
  /** Why the service itself does not run here, and what to do; null where it does. */
  unsupported: string | null;
};

/** Where neither start times nor open files can be read: a living pid counts, and nobody is taken for dead. */
const untold = {
  processes: {
    startTimes: async (pids: readonly number[]) => new Map(pids.filter(isAlive).map((pid) => [pid, null])),
    startFormat: null,
  },
  toolProcesses: () => ({ list: async () => [], openFiles: async () => null }),
  processStart: async () => null,
  silentFileSystem: () => null,
  bootId: () => null,
  howToPermit: 'let the user that runs signalbox read it',
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
  howToPermit: 'let the user that runs signalbox read it',
  startable: asTyped,
  openInBrowser: (url) => openWith(linuxOpeners, url),
  notifier: (notification) => linuxNotifier(notification, process.env),
  serviceManager: () => findSystemd(user()),
  otherSide: () => windowsSide(process.env),
  whereUnreachable: null,
  unsupported: null,
};

/** Five tools are looked for at nearly the same time: one answer serves them all. */
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
    'If it runs in WSL, and localhost does not reach it (localhostForwarding in .wslconfig), run "wsl hostname -I" to get its address.',
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

/** The monotonic clock of macOS and Windows goes on while the machine sleeps. */
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
