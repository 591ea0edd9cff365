import pg from 'pg';
import { publishedFolder } from '../../files/package-folder.ts';
import { errorCode, errorMessage } from '../../kernel/error-code.ts';
import { migrationsIn, pendingMigrations } from '../migrations.ts';

/** Any number works, as long as every Signalbox uses the same. */
const lock = 5526_5525;

const steps = migrationsIn(publishedFolder('store/postgres/sql', 'packages/service/src/store/postgres/sql'));

/** The version that this program writes. */
export const newestVersion = (): number => steps.at(-1)?.version ?? 0;

const lookAgainMs = 250;
const toStderr = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Migrates the database, completely or not at all; hosts that start together do it one after the other. The lock is
 * taken only if there is something to migrate, because any role of the database may hold it.
 */
export async function migrate(client: pg.ClientBase, say = toStderr): Promise<[from: number, to: number]> {
  const before = await versionOf(client);
  if (pendingMigrations(steps, before).length === 0) return [before, before];
  await client.query('BEGIN');
  try {
    await takeLock(client, say);
    const found = await versionOf(client);
    for (const { version, sql } of pendingMigrations(steps, found)) {
      await client.query(sql);
      await client.query('INSERT INTO signalbox.migrations (version) VALUES ($1)', [version]);
    }
    await client.query('COMMIT');
    return [found, newestVersion()];
  } catch (fault) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw fault;
  }
}

async function takeLock(client: pg.ClientBase, say: (line: string) => void): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await client.query('SELECT pg_try_advisory_xact_lock($1) AS taken', [lock]);
    if (rows[0].taken) return;
    if (tries === 0) say(`Waiting for ${await holderOf(client)}: only one host at a time migrates the database.`);
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

/** The session that blocks the migration of the database, as far as this role may see it. */
async function holderOf(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query(
    `SELECT pid, usename, application_name, host(client_addr) AS address FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND classid = 0 AND objid = $1 AND granted LIMIT 1`,
    [lock],
  );
  const [holder] = rows;
  if (!holder) return 'another session of the database that holds its lock';
  const words = [holder.application_name, holder.address && `at ${holder.address}`].filter(Boolean);
  const shown = `${holder.usename ?? 'unknown'}${words.length > 0 ? ` (${words.join(' ')})` : ''}, process ${holder.pid}`;
  return `the lock of ${shown.replace(/[^ -~]/g, '?').slice(0, 200)}`;
}

/** Migrates the database at that address. */
export async function migrateAt(url: string): Promise<[from: number, to: number]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  await client.connect();
  return migrate(client).finally(() => client.end());
}

/** The version of the database at that address; null if it has no store yet. */
export async function versionAt(url: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await versionOf(client)) || null;
  } finally {
    await client.end();
  }
}

/** Why that database could not be used right now; undefined if it can. Changes nothing. */
export async function probePostgres(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    pendingMigrations(steps, await versionOf(client));
    return undefined;
  } catch (fault) {
    return errorMessage(fault) || errorCode(fault) || 'it cannot be reached';
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function versionOf(client: pg.ClientBase): Promise<number> {
  // Not to_regclass: within a transaction it still answers from before another session created the table.
  const table = await client.query(
    "SELECT 1 FROM pg_tables WHERE schemaname = 'signalbox' AND tablename = 'migrations'",
  );
  if (table.rows.length === 0) return 0;
  const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM signalbox.migrations');
  return rows[0].version;
}
