import type { CommandLine } from './command-line.ts';

/** A program that the system starts with the user's session and keeps running. */
export type KeptProgram = {
  /** Letters, digits and dashes: the name of the unit. */
  name: string;
  description: string;
  /** The program by its full path, then its arguments. */
  command: readonly [string, ...string[]];
  folder: string;
  env: Readonly<Record<string, string>>;
  /** The file for `env`; null if the definition contains it. */
  envFile: string | null;
};

export type KeptState =
  | { state: 'running'; pid: number | null }
  | { state: 'stopped'; why: string }
  | { state: 'not installed' }
  | { state: 'unknown'; why: string };

/** Keeps a user's programs running on this system. It only returns commands and files; the caller shows and runs them. */
export type ServiceManager = {
  kind: 'systemd' | 'launchd';
  /** The file for a program's settings, readable only by its user; null if the definition contains them. */
  envPath(name: string): string | null;
  /** The settings in the text of that file; it also reads lines of a definition. */
  envText(env: Readonly<Record<string, string>>): string;
  readEnv(text: string): Record<string, string>;
  /** The path of the file that defines a program for the service manager. */
  definitionPath(name: string): string;
  /** The content of that file. */
  definition(program: KeptProgram): string;
  /** Commands to run in order once the file is written: they start the program now and with every session. */
  install(name: string): readonly CommandLine[];
  /** Commands to run in order before the file is removed; `afterRemoval` runs afterwards. A failure does not stop the others. */
  uninstall(name: string): readonly CommandLine[];
  afterRemoval: readonly CommandLine[];
  /** Restarts it with the current content of the file. */
  restart(name: string): readonly CommandLine[];
  stateOf(name: string): Promise<KeptState>;
  logs(name: string, options: { lines: number; follow: boolean }): CommandLine;
  /** What else to do so that it runs while nobody is logged in; null if nothing can be done. */
  beyondLogin: string | null;
};

/** Why there is none, and what to do instead. */
export type NoServiceManager = { kind: 'none'; reason: string };

/** The user for a manager: home, environment and uid. */
export type User = { home: string; env: Readonly<Record<string, string | undefined>>; uid: number };
