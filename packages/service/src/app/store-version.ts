import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { newestVersion as newestPostgres, versionAt } from '../store/postgres/migrate-postgres.ts';
import { newestVersion as newestSqlite } from '../store/sqlite/migrate-sqlite.ts';
import { versionOfFile } from '../store/sqlite/sqlite-raw.ts';
import type { Config } from './config.ts';

/** `found` is null if there is no store yet; `newest` is what this program writes. */
export type StoreVersion = { found: number | null; newest: number };

/** Reads the store and changes nothing. */
export async function readStoreVersion({ store, dataPath }: Config): Promise<StoreVersion> {
  if (store !== 'sqlite') return { found: await versionAt(store), newest: newestPostgres() };
  const file = join(dataPath, 'signalbox.sqlite');
  return { found: existsSync(file) ? versionOfFile(file) : null, newest: newestSqlite() };
}
