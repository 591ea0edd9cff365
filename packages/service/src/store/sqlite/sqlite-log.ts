import type { Clock } from '../../kernel/clock.ts';
import type { ReportTrouble } from '../group-commit.ts';
import { type CountedLog, createLedgerLog } from '../ledger-log.ts';
import type { Snapshots } from '../snapshot.ts';
import { createSqliteLedger, openDatabase, type Synchronous } from './sqlite-ledger.ts';

export type SqliteOptions = {
  path: string;
  clock: Clock;
  synchronous?: Synchronous;
  say?: ReportTrouble | undefined;
  snapshots?: Snapshots | undefined;
};

/** Opens the log in that file, made and migrated as needed. A 200 after its commit has survived a power loss. */
export const openSqliteLog = ({ path, clock, synchronous, say, snapshots }: SqliteOptions): CountedLog =>
  createLedgerLog(createSqliteLedger(openDatabase(path, synchronous)), clock, say, snapshots);
