import type { Clock } from '../../kernel/clock.ts';
import { type CountedLog, createLedgerLog } from '../ledger-log.ts';
import { createSqliteLedger, openDatabase, type Synchronous } from './ledger.ts';

export type SqliteOptions = { path: string; clock: Clock; synchronous?: Synchronous };

/** Opens the log in that file, made and migrated as needed. A 200 after its commit has survived a power loss. */
export const openSqliteLog = ({ path, clock, synchronous }: SqliteOptions): CountedLog =>
  createLedgerLog(createSqliteLedger(openDatabase(path, synchronous)), clock);
