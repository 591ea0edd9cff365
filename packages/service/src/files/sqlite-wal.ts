import { DatabaseSync } from 'node:sqlite';
import { sqliteErrorCode } from './sqlite-error.ts';

/** A file beside the database could not be made or enlarged: SQLITE_FULL, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_SHMOPEN. */
const noRoom = new Set([13, 4874, 4618]);

/**
 * Opens a database with a log of commits. On a full disk the index of that log has no place, and is kept in the memory of this process instead: reads
 * work, writes work once there is room again, and no other process can open the database until a restart.
 */
export function openWal(path: string, busyMs: number): DatabaseSync {
  const open = (more: string) => {
    const database = new DatabaseSync(path);
    try {
      database.exec(`PRAGMA busy_timeout = ${busyMs}; ${more} PRAGMA journal_mode = WAL`);
      // The files beside it are made by the first reading.
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
