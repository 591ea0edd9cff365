import { accessSync, constants, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { readSmallJson } from '../files/plain-file.ts';
import { NotRegularFile } from '../files/regular-file.ts';
import { sqliteErrorCode } from '../files/sqlite-error.ts';
import { openSqlite } from '../files/sqlite-file.ts';
import { errorCode, errorMessage } from '../kernel/error-code.ts';
import { isObject } from '../kernel/is-object.ts';
import { makeOwnerOnlyFile } from './owner-only-file.ts';

/** `version` and `urls` are known once the service listens; releases before 0.3 do not write them. */
export type Owner = { pid: number; since: string; host: string; version?: string; urls?: readonly string[] };
export type LockedDataPath = {
  path: string;
  /** Adds facts about this process for others that read the data path. */
  describe(more: Pick<Owner, 'version' | 'urls'>): void;
  release(): void;
};

/** Thrown to the second process on a data path; names the first process. */
export class DataPathInUse extends Error {
  readonly owner: Owner | undefined;

  constructor(path: string, owner: Owner | undefined) {
    const by = owner ? `process ${owner.pid} on ${owner.host}, since ${owner.since}` : 'another process';
    super(`The data path ${path} is in use by ${by}. Stop that Signalbox first, or choose another Service:DataPath.`);
    this.name = 'DataPathInUse';
    this.owner = owner;
  }
}

const nextSteps: Readonly<Record<string, string>> = {
  EROFS: 'Mount its file system for writing',
  ENOSPC: 'Free space on its disk',
  ENOTDIR: 'Remove the file at that path',
};

/** Thrown if the folder cannot be created or written; includes the next step. */
export class DataPathUnusable extends Error {
  constructor(path: string, cause: unknown, given?: string) {
    const code = errorCode(cause) ?? '';
    const next = given ?? nextSteps[code] ?? 'Give this user write permission';
    const why = /^E[A-Z]+$/.test(code) ? code : errorMessage(cause);
    super(`The data path ${path} cannot be used (${why}). ${next}, or choose another with Service:DataPath.`, {
      cause,
    });
    this.name = 'DataPathUnusable';
  }
}

const sqliteBusy = 5;
const sqliteNotADatabase = 26;

/** Keeps locks referenced: a database that is garbage collected is closed, and then it holds no lock. */
const locks = new Set<DatabaseSync>();

/**
 * Locks the folder for this process. The lock is a transaction held open on a separate file, so the kernel releases it
 * even after a crash; `owner.json` is only for error messages.
 */
export function lockDataPath(path: string, since: string): LockedDataPath {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (fault) {
    throw new DataPathUnusable(path, fault);
  }
  const lock = lockIn(path);
  locks.add(lock);
  const ownerFile = join(path, 'owner.json');
  writeOwner(ownerFile, { pid: process.pid, since, host: hostname() });
  return {
    path,
    describe: (more) => writeOwner(ownerFile, { pid: process.pid, since, host: hostname(), ...more }),
    release() {
      locks.delete(lock);
      lock.close();
      try {
        rmSync(ownerFile, { force: true });
      } catch {
        // Not ours.
      }
    },
  };
}

function lockIn(path: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    makeOwnerOnlyFile(join(path, 'lock.sqlite'));
    lock = openSqlite(join(path, 'lock.sqlite'));
    // Nothing is ever written, so a full disk does not matter.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (fault) {
    lock?.close();
    if (fault instanceof NotRegularFile) throw fault;
    const errcode = sqliteErrorCode(fault);
    if (errcode === sqliteBusy) throw new DataPathInUse(path, ownerOf(path));
    // It is never removed, because another process may hold it.
    const remove = 'Make sure no Signalbox uses it, then remove its lock.sqlite, which contains no data';
    throw new DataPathUnusable(path, fault, errcode === sqliteNotADatabase ? remove : undefined);
  }
}

/** The file is only used in messages: neither a full disk nor another file in its place prevents a start. */
function writeOwner(file: string, owner: Owner): void {
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // A second process then cannot name the owner.
  }
}

/** The process that uses a data path, or the last one that used it without an orderly end. */
export function ownerOf(path: string): Owner | undefined {
  try {
    const owner: unknown = readSmallJson(join(path, 'owner.json'));
    return isOwner(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** After a crash or an edit the file may contain anything. */
function isOwner(value: unknown): value is Owner {
  if (!isObject(value)) return false;
  const { pid, urls = [] } = value;
  return (
    typeof pid === 'number' &&
    Number.isSafeInteger(pid) &&
    pid > 0 &&
    Array.isArray(urls) &&
    urls.every((url) => typeof url === 'string' && URL.canParse(url))
  );
}
