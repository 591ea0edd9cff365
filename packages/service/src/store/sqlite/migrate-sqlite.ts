import type { DatabaseSync } from 'node:sqlite';
import { publishedFolder } from '../../files/package-folder.ts';
import { migrationsIn, pendingMigrations } from '../migrations.ts';

const steps = migrationsIn(publishedFolder('store/sqlite/sql', 'packages/service/src/store/sqlite/sql'));

/** The version that this program writes. */
export const newestVersion = (): number => steps.at(-1)?.version ?? 0;

/** Called before each step that brings a store with events to another version. */
export type OnMigration = (progress: { from: number; step: number; to: number }) => void;

/** Migrates the database, completely or not at all; the write lock keeps a second process from doing the same. */
export function migrate(database: DatabaseSync, onMigration?: OnMigration): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    const found = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    for (const { version, sql } of pendingMigrations(steps, found)) {
      if (found > 0) onMigration?.({ from: found, step: version, to: newestVersion() });
      database.exec(sql);
      database.exec(`PRAGMA user_version = ${version}`);
    }
    database.exec('COMMIT');
  } catch (fault) {
    database.exec('ROLLBACK');
    throw fault;
  }
}
