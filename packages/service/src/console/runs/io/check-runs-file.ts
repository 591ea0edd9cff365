import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { isCorrupt, sqliteCode } from '../../../files/sqlite-error.ts';
import { openSqliteCopy } from '../../../files/sqlite-file.ts';
import { errorMessage } from '../../../kernel/error-code.ts';
import { sumOf } from './row-sum.ts';

type Row = Readonly<Record<string, SQLOutputValue>>;
type Sum = { sum: string; over: readonly string[] };

/** Which columns the checksum of a row covers, by table. */
export const tables: Readonly<Record<string, readonly Sum[]>> = {
  runs: [
    { sum: 'stamp_sum', over: ['run', 'stamp'] },
    { sum: 'row_sum', over: ['run', 'row'] },
  ],
  batches: [{ sum: 'sum', over: ['run', 'at', 'bytes'] }],
  ejected: [{ sum: 'sum', over: ['run', 'at', 'by'] }],
  suites: [{ sum: 'sum', over: ['name', 'repository_name'] }],
  tests: [{ sum: 'sum', over: ['test', 'uid'] }],
  verdicts: [{ sum: 'sum', over: ['run', 'at', 'facts', 'tests'] }],
};

/** Reads a copy of `runs.sqlite` that nobody writes to and compares each row with its checksum; null for one that is whole. */
export function checkRunsFile(path: string): string | null {
  let database: DatabaseSync | undefined;
  try {
    database = openSqliteCopy(path);
    const [found] = Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {});
    if (found !== 'ok') return `the file is not whole (${String(found).split('\n')[0]})`;
    return damagedRow(database);
  } catch (fault) {
    if (isCorrupt(fault) || sqliteCode(fault) === 1) return `the file cannot be read (${errorMessage(fault)})`;
    throw fault;
  } finally {
    database?.close();
  }
}

export const isDamaged = (row: Row, sums: readonly Sum[]): boolean =>
  sums.some(({ sum, over }) => row[sum] !== null && sumOf(...over.map((column) => row[column])) !== row[sum]);

function damagedRow(database: DatabaseSync): string | null {
  for (const [table, sums] of Object.entries(tables)) {
    for (const row of database.prepare(`SELECT * FROM ${table}`).iterate()) {
      if (!isDamaged(row, sums)) continue;
      const name = String(row.run ?? row.name ?? row.uid).slice(0, 100);
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
