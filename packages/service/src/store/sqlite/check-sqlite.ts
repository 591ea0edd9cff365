import type { DatabaseSync } from 'node:sqlite';
import { sqliteErrorCode } from '../../files/sqlite-error.ts';
import { openSqlite, openSqliteCopy } from '../../files/sqlite-file.ts';
import { errorMessage } from '../../kernel/error-code.ts';
import { DamagedStore } from '../event-checksum.ts';
import { LogCheck } from '../log-check.ts';
import { rawEventIn } from '../raw-event.ts';
import { asStoreFault, newestOfTopics } from './sqlite-ledger.ts';

export type StoreCheck = { events: number; sequence: number; damage: string | null };

/**
 * Reads a store file from its first event to its last and changes nothing. A copy that nobody writes to is opened as
 * such, so SQLite creates no file beside it.
 */
export function checkSqlite(path: string, kind: 'copy' | 'live'): StoreCheck {
  let database: DatabaseSync | undefined;
  try {
    database = kind === 'copy' ? openSqliteCopy(path) : openSqlite(path, { readOnly: true });
    database.exec('PRAGMA busy_timeout = 5000; BEGIN');
    return checkEvents(database);
  } catch (fault) {
    const found = asStoreFault(fault);
    if (found instanceof DamagedStore) return { events: 0, sequence: 0, damage: found.damage };
    // A damaged file may lack a table.
    if (sqliteErrorCode(fault) === 1)
      return { events: 0, sequence: 0, damage: `it does not have the tables of a store (${errorMessage(fault)})` };
    throw fault;
  } finally {
    database?.close();
  }
}

function checkEvents(database: DatabaseSync): StoreCheck {
  const [found] = Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {});
  const check = new LogCheck();
  for (const row of database.prepare('SELECT * FROM events ORDER BY sequence').iterate()) check.read(rawEventIn(row));
  const end = check.end();
  const newest = Number(database.prepare(newestOfTopics).get()?.sequence);
  const isCut = end.sequence < newest ? `events ${end.sequence + 1} to ${newest} are missing` : null;
  const isBroken = found === 'ok' ? null : `its file is incomplete (${String(found).split('\n')[0]})`;
  return { ...end, damage: end.damage ?? isCut ?? isBroken };
}
