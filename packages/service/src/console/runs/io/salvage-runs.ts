import { copyFileSync, existsSync, rmSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { requireRegularFile } from '../../../files/regular-file.ts';
import { openSqlite } from '../../../files/sqlite-file.ts';
import { checkRunsFile, isDamaged, tables } from './check-runs-file.ts';
import { RunsDatabase } from './runs-database.ts';

/**
 * Writes every row of a damaged `runs.sqlite` that can be read into a new file. Returns how many could not, or could not be counted; 0 for a database
 * that is whole, of which no new file is made. A run without a row is read from its archive.
 */
export function salvageRuns(path: string, copy: string, to: string): number {
  for (const ending of ['', '-wal']) requireRegularFile(path + ending);
  copyFileSync(path, copy);
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
  const isTakenOver = takeOver(copy);
  if (isTakenOver && checkRunsFile(copy) === null) return 0;
  rmSync(to, { force: true });
  RunsDatabase.open(to).close();
  const [from, into] = [openSqlite(copy), openSqlite(to)];
  let lost = 0;
  try {
    into.exec('BEGIN');
    for (const [table, sums] of Object.entries(tables)) lost += copyRows(from, into, table, sums);
    into.exec('COMMIT; PRAGMA journal_mode = DELETE');
  } finally {
    from.close();
    into.close();
  }
  return Math.max(1, lost);
}

/** The log of commits goes into the file, as at a start. */
function takeOver(path: string): boolean {
  try {
    const database = openSqlite(path);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
    database.close();
    return true;
  } catch {
    return false;
  }
}

function copyRows(from: DatabaseSync, into: DatabaseSync, table: string, sums: (typeof tables)[string]): number {
  let lost = 0;
  try {
    for (const row of from.prepare(`SELECT * FROM ${table}`).iterate()) {
      if (isDamaged(row, sums)) lost += 1;
      else insert(into, table, row);
    }
  } catch {
    // What comes after it in this table cannot be reached.
    lost += 1;
  }
  return lost;
}

function insert(into: DatabaseSync, table: string, row: Record<string, SQLOutputValue>): void {
  const names = Object.keys(row);
  const sql = `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  into.prepare(sql).run(...Object.values(row));
}
