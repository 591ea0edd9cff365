import pg from 'pg';
import { migrate } from '../../packages/service/src/store/postgres/migrate-postgres.ts';

/** All rows of the tables of a Signalbox at one moment, as in a dump. */
export type Dump = { table: string; rows: string }[];

/** The order in which a dump restores them. */
const tables = ['events', 'head', 'hosts', 'migrations', 'remembered', 'shared'];

export async function withClient<Answer>(url: string, work: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

export const dump = (url: string): Promise<Dump> =>
  withClient(url, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const kept: Dump = [];
    for (const table of tables) {
      const { rows } = await client.query(
        `SELECT coalesce(json_agg(t), '[]')::text AS rows FROM signalbox.${table} AS t`,
      );
      kept.push({ table, rows: rows[0].rows });
    }
    await client.query('COMMIT');
    return kept;
  });

/**
 * Restores a dump in place, while hosts are connected. `whole`: in one transaction; otherwise table by table, as
 * `pg_restore --clean` does, with `between` called after each.
 */
export async function restoreInPlace(url: string, kept: Dump, whole: boolean, between = async () => {}): Promise<void> {
  for (;;) {
    try {
      return await restoreOnce(url, kept, whole, between);
    } catch (fault) {
      // The restore locks all tables, and hosts may hold some: then it is repeated.
      if ((fault as { code?: string }).code !== '40P01') throw fault;
    }
  }
}

async function restoreOnce(url: string, kept: Dump, whole: boolean, between: () => Promise<void>): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('BEGIN');
    const step = async () => {
      if (whole) return;
      await client.query('COMMIT');
      await between();
      await client.query('BEGIN');
    };
    await client.query('DROP SCHEMA IF EXISTS signalbox CASCADE');
    await step();
    await recreate(client);
    const constraints = await withoutConstraints(client);
    await client.query('TRUNCATE signalbox.head, signalbox.migrations');
    for (const { table, rows } of kept) {
      await step();
      const from = `json_populate_recordset(NULL::signalbox.${table}, $1)`;
      await client.query(`INSERT INTO signalbox.${table} SELECT * FROM ${from}`, [rows]);
    }
    for (const add of constraints) {
      await step();
      await client.query(add);
    }
    await client.query('COMMIT');
  });
}

/** A dump restores keys after the data, foreign keys last. */
async function withoutConstraints(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(`
    SELECT conrelid::regclass AS table, conname AS name, pg_get_constraintdef(oid) AS definition
    FROM pg_constraint WHERE connamespace = 'signalbox'::regnamespace AND contype IN ('p', 'u', 'f')
    ORDER BY contype = 'f', conname`);
  for (const { table, name } of rows.toReversed()) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return rows.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
}

/** `migrate` is its own transaction; inside another one its BEGIN and COMMIT have no effect. */
const recreate = async (client: pg.Client): Promise<void> => {
  const query = (sql: string, values?: unknown[]) =>
    /^(BEGIN|COMMIT)$/.test(sql) ? Promise.resolve() : client.query(sql, values);
  await migrate({ query } as unknown as pg.Client);
};
