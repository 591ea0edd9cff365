import { copyFileSync, existsSync, rmSync } from 'node:fs';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { requireRegularFile } from '../../../files/regular-file.ts';
import { isCorrupt, sqliteCode } from '../../../files/sqlite-error.ts';
import { openSqlite, openSqliteCopy } from '../../../files/sqlite-file.ts';
import { errorMessage } from '../../../kernel/error-code.ts';
import { RunsDatabase, sumOf } from './runs-database.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;
type Sum = { sum: string; over: readonly string[] };

/** Which columns the checksum of a row covers, by table. */
const tables: Readonly<Record<string, readonly Sum[]>> = {
  runs: [
    { sum: 'stamp_sum', over: ['run', 'stamp'] },
    { sum: 'row_sum', over: ['run', 'row'] },
  ],
  batches: [{ sum: 'sum', over: ['run', 'at', 'bytes'] }],
  late: [{ sum: 'sum', over: ['run', 'event'] }],
  ejected: [{ sum: 'sum', over: ['run', 'at', 'by'] }],
  suites: [{ sum: 'sum', over: ['name', 'repository_name'] }],
  tests: [{ sum: 'sum', over: ['test', 'uid'] }],
  verdicts: [{ sum: 'sum', over: ['run', 'at', 'facts', 'tests'] }],
  newest_verdicts: [{ sum: 'sum', over: ['identity', 'verdict'] }],
};

/** The tables, without those that did not exist yet in the file's version. */
function tablesOf(database: DatabaseSync): (readonly [string, readonly Sum[]])[] {
  const all = Object.entries(tables);
  try {
    const [version] = Object.values(database.prepare('PRAGMA user_version').get() ?? {});
    return version === 1 ? all.filter(([table]) => table !== 'newest_verdicts') : all;
  } catch {
    return all;
  }
}

/** Compares each row of a copy of `runs.sqlite` with its checksum; null if all match. */
export function checkRunsFile(path: string): string | null {
  let database: DatabaseSync | undefined;
  try {
    database = openSqliteCopy(path);
    const [found] = Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {});
    if (found !== 'ok') return `the file is incomplete (${String(found).split('\n')[0]})`;
    return damagedRow(database);
  } catch (fault) {
    if (isCorrupt(fault) || sqliteCode(fault) === 1) return `the file cannot be read (${errorMessage(fault)})`;
    throw fault;
  } finally {
    database?.close();
  }
}

const isDamaged = (row: Row, sums: readonly Sum[]): boolean =>
  sums.some(({ sum, over }) => (row[sum] ?? null) !== null && sumOf(...over.map((column) => row[column])) !== row[sum]);

function damagedRow(database: DatabaseSync): string | null {
  for (const [table, sums] of tablesOf(database)) {
    for (const row of database.prepare(`SELECT * FROM ${table}`).iterate()) {
      if (!isDamaged(row, sums)) continue;
      const name = String(row.run ?? row.name ?? row.uid ?? row.identity).slice(0, 100);
      return `a row of ${table} differs from what was written (${name})`;
    }
  }
  return null;
}

/** How large the archive of each run was when its row was written, for runs that are listed. */
export function archiveSizes(path: string): Map<string, number> {
  const database = openSqliteCopy(path);
  try {
    const sizes = new Map<string, number>();
    for (const { run, row } of database.prepare('SELECT run, row FROM runs WHERE row IS NOT NULL').iterate())
      sizes.set(String(run), Number(JSON.parse(String(row)).bytes));
    return sizes;
  } finally {
    database.close();
  }
}

/**
 * Writes every readable row of a damaged `runs.sqlite` into a new file. Returns how many rows were lost, at least 1; or 0, and
 * no new file, if the database is not damaged. A run without a row is read from its archive.
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
    for (const [table, sums] of tablesOf(from)) lost += copyRows(from, into, table, sums);
    into.exec('COMMIT; PRAGMA journal_mode = DELETE');
  } finally {
    from.close();
    into.close();
  }
  return Math.max(1, lost);
}

/** Copies SQLite's write-ahead log into the file, as a start does. */
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
  // The table is read from both ends, because reading stops at a damaged page.
  for (const order of ['', 'ORDER BY rowid DESC']) {
    try {
      for (const row of from.prepare(`SELECT * FROM ${table} ${order}`).iterate()) {
        if (isDamaged(row, sums)) lost += 1;
        else insert(into, table, row);
      }
      return lost;
    } catch {
      // A table without row ids cannot be read from its end.
    }
  }
  return lost + 1;
}

function insert(into: DatabaseSync, table: string, row: Record<string, SQLOutputValue>): void {
  const names = Object.keys(row);
  const sql = `INSERT OR IGNORE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  into.prepare(sql).run(...Object.values(row));
}
