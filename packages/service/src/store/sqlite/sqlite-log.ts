import type { Clock } from '../../kernel/clock.ts';
import { type CountedLog, createLedgerLog, type ReportTrouble } from '../group-commit.ts';
import type { ArchiveFiles } from '../moved-events.ts';
import type { Snapshots } from '../snapshot.ts';
import type { OnMigration } from './migrate-sqlite.ts';
import { moveTopic } from './move-topic.ts';
import { createSqliteLedger, openDatabase, type Synchronous } from './sqlite-ledger.ts';

export type SqliteOptions = {
  path: string;
  clock: Clock;
  synchronous?: Synchronous;
  say?: ReportTrouble | undefined;
  snapshots?: Snapshots | undefined;
  /** The folder for plans that were archived long ago. */
  archive?: ArchiveFiles | undefined;
  onMigration?: OnMigration | undefined;
};

/** Opens the log in that file; creates and migrates it if needed. Once a call is answered with 200, its commit survives a power failure. */
export function openSqliteLog(options: SqliteOptions): CountedLog {
  const { path, clock, synchronous, say, snapshots, archive, onMigration } = options;
  const database = openDatabase(path, synchronous, onMigration);
  const move = archive === undefined ? undefined : (topic: string) => moveTopic(database, archive, topic);
  return createLedgerLog(createSqliteLedger(database), clock, { say, snapshots, move });
}
