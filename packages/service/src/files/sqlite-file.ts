import { DatabaseSync, type DatabaseSyncOptions } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { requireRegularFile } from './regular-file.ts';
import { sqliteErrorCode } from './sqlite-error.ts';

/** Opens one of our databases. Opening a pipe would block forever, so the file and its side files are checked first. */
export function openSqlite(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  requireRegularFiles(path);
  return new DatabaseSync(path, options);
}

function requireRegularFiles(path: string): void {
  if (path !== ':memory:') for (const ending of ['', '-wal', '-shm', '-journal']) requireRegularFile(path + ending);
}

/** Opens a database that nobody writes to, such as a copy in a backup, without creating files beside it. */
export function openSqliteCopy(path: string): DatabaseSync {
  requireRegularFiles(path);
  const address = pathToFileURL(path);
  address.searchParams.set('immutable', '1');
  try {
    return new DatabaseSync(address, { readOnly: true });
  } catch (fault) {
    // Node before 22.15 does not accept a URL.
    if (!(fault instanceof TypeError && 'code' in fault && fault.code === 'ERR_INVALID_ARG_TYPE')) throw fault;
    return new DatabaseSync(path, { readOnly: true });
  }
}

/** A file beside the database could not be created or enlarged: SQLITE_FULL, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_SHMOPEN. */
const noRoom = new Set([13, 4874, 4618]);

/**
 * Opens a database with a write-ahead log. On a full disk the index of that log is kept in the memory of this process
 * instead: reads work, writes work once there is space again, and no other process can open the database until a
 * restart.
 */
export function openWal(path: string, busyMs: number): DatabaseSync {
  const open = (more: string) => {
    const database = openSqlite(path);
    try {
      database.exec(`PRAGMA busy_timeout = ${busyMs}; ${more} PRAGMA journal_mode = WAL`);
      // The first read creates the files beside it.
      database.exec('PRAGMA user_version');
      return database;
    } catch (fault) {
      database.close();
      throw fault;
    }
  };
  try {
    return open('');
  } catch (fault) {
    if (!noRoom.has(sqliteErrorCode(fault) ?? 0)) throw fault;
    return open('PRAGMA locking_mode = EXCLUSIVE;');
  }
}
