import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

const folder = join(import.meta.dirname, 'sql');

/** The version this program writes: the number of the last file, `0001-events.sql` being 1. */
export const newestVersion = (): number => Math.max(0, ...migrations().map(({ version }) => version));

function migrations(): { version: number; file: string }[] {
  const files = readdirSync(folder).filter((file) => /^\d{4}-.+\.sql$/.test(file));
  return files.map((file) => ({ version: Number(file.slice(0, 4)), file })).sort((a, b) => a.version - b.version);
}

/** Brings the database forward, whole or not at all; the write lock keeps a second process from doing the same. */
export function migrate(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const found = versionOf(database);
    refuseNewer(found, newestVersion());
    for (const { version, file } of migrations().filter((each) => each.version > found)) {
      database.exec(readFileSync(join(folder, file), 'utf8'));
      database.exec(`PRAGMA user_version = ${version}`);
    }
    database.exec('COMMIT');
  } catch (fault) {
    database.exec('ROLLBACK');
    throw fault;
  }
}

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.user_version);

function refuseNewer(found: number, known: number): void {
  if (found <= known) return;
  throw new Error(
    `The database is of version ${found} and this Signalbox knows versions up to ${known}. ` +
      'Start the newer Signalbox that wrote it, or choose another Service:DataPath.',
  );
}
