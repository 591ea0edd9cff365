import type { CommandLine } from './command-line.ts';

/** A program that the system starts with the user's session and keeps running. */
export type KeptProgram = {
  /** Letters, digits and dashes: the name of the unit. */
  name: string;
  description: string;
  /** The program by its whole path, then its arguments. */
  command: readonly [string, ...string[]];
  folder: string;
  env: Readonly<Record<string, string>>;
  /** Where `env` is written instead of into the definition; null where the definition holds it. */
  envFile: string | null;
};

export type KeptState =
  | { state: 'running'; pid: number | null }
  | { state: 'stopped'; why: string }
  | { state: 'not installed' }
  | { state: 'unknown'; why: string };

/** What keeps programs of a user running on this system. It only names commands and files; the caller shows and runs them. */
export type ServiceManager = {
  kind: 'systemd' | 'launchd';
  /** Where the settings of a program are written, for its user alone; null where the definition holds them. */
  envPath(name: string): string | null;
  /** What stands in that file, and reads it again; lines of a definition are understood, too. */
  envText(env: Readonly<Record<string, string>>): string;
  readEnv(text: string): Record<string, string>;
  /** Where the file that describes a program to it is written. */
  definitionPath(name: string): string;
  /** What stands in that file. */
  definition(program: KeptProgram): string;
  /** Run in turn once the file is written: starts it now and with every session. */
  install(name: string): readonly CommandLine[];
  /** Run in turn while the file is there; then the file goes, then `afterRemoval` is run. One that fails ends nothing. */
  uninstall(name: string): readonly CommandLine[];
  afterRemoval: readonly CommandLine[];
  /** Restarts it with the current content of the file. */
  restart(name: string): readonly CommandLine[];
  stateOf(name: string): Promise<KeptState>;
  logs(name: string, options: { lines: number; follow: boolean }): CommandLine;
  /** What else to do so that it runs while nobody is logged in; null where nothing can be done. */
  beyondLogin: string | null;
};

/** Why there is none, and what to do instead. */
export type NoServiceManager = { kind: 'none'; reason: string };

/** What a manager is asked for: the user's home, environment and number. */
export type User = { home: string; env: Readonly<Record<string, string | undefined>>; uid: number };
