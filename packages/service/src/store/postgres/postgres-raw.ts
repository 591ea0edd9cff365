import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { archiveText, readArchiveText } from '../moved-events.ts';
import { type RawEvent, type RawKey, rawEventColumns } from '../raw-event.ts';
import { storable } from '../storable.ts';
import { migrate } from './migrate-postgres.ts';

const pageSize = 1_000;
const utc = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
export const rawColumns = `sequence::float8 AS sequence, stream, version, topic, id::text AS id, type, ${utc('at')} AS at, by,
  provenance, data::text AS data`;
const selectRaw = `SELECT ${rawColumns} FROM signalbox.events WHERE sequence > $1 ORDER BY sequence LIMIT ${pageSize}`;

export type RawPostgres = Awaited<ReturnType<typeof openRawPostgres>>;

/** A read of the whole log in that database, as of one moment. */
export async function openRawPostgres(url: string) {
  const client = await connect(url);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  return {
    async *events(): AsyncIterable<readonly RawEvent[]> {
      for (let after = 0; ; ) {
        const { rows } = await client.query<RawEvent>(selectRaw, [after]);
        if (rows.length === 0) return;
        yield rows;
        after = rows.at(-1)?.sequence ?? after;
      }
    },
    async keys(): Promise<readonly RawKey[]> {
      const sql = `SELECT key, fingerprint, ${utc('at')} AS at, answer FROM signalbox.remembered ORDER BY key`;
      return (await client.query<RawKey>(sql)).rows;
    },
    close: () => client.end(),
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    application_name: 'signalbox',
  });
  // The running query reports a broken connection; without this listener the error would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** The events of that topic that were moved out of the log, checked. */
export async function readArchivedTopic(url: string, topic: string): Promise<RecordedEvent[]> {
  const client = await connect(url);
  try {
    const sql = `SELECT ${rawColumns} FROM signalbox.archived_events WHERE topic = $1 ORDER BY sequence`;
    const { rows } = await client.query<RawEvent>(sql, [storable(topic)]);
    return readArchiveText(archiveText(rows));
  } finally {
    await client.end();
  }
}

/** PostgreSQL cannot store every text that SQLite can; such texts are written as PostgreSQL's own store would write them. */
export const asStored = (event: RawEvent): RawEvent => ({
  ...event,
  stream: storable(event.stream),
  topic: storable(event.topic),
  type: storable(event.type),
  by: storable(event.by),
});

/** Thrown if events already exist: nothing is ever mixed into a history. */
export class NotEmpty extends Error {
  readonly events: number;
  constructor(events: number) {
    super(`That database already contains ${events} events.`);
    this.events = events;
  }
}

/** Writes a whole log into a database that has none, in one transaction. */
export async function writeRawPostgres(url: string, pages: Iterable<readonly RawEvent[]>, keys: readonly RawKey[]) {
  const client = await connect(url);
  try {
    await migrate(client);
    await client.query('BEGIN');
    // Appending locks this row, so no service can write in between.
    const { rows } = await client.query<{ sequence: string }>('SELECT sequence FROM signalbox.head FOR UPDATE');
    const found = Number(rows[0]?.sequence ?? 0);
    if (found > 0) throw new NotEmpty(found);
    let last = 0;
    for (const page of pages) {
      await client.query(insertPage, [JSON.stringify(page.map(asStored))]);
      last = page.at(-1)?.sequence ?? last;
    }
    const tokens = keys.map((key) => ({ ...key, token: randomUUID() }));
    await client.query(insertKeys, [JSON.stringify(tokens)]);
    await client.query('UPDATE signalbox.head SET sequence = $1', [last]);
    await client.query('COMMIT');
  } catch (fault) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw fault;
  } finally {
    await client.end();
  }
}

// The data comes as text inside JSON and is cast from that text, so that every byte stays as it is.
const insertPage = `INSERT INTO signalbox.events (${rawEventColumns.join(', ')})
  SELECT e.sequence, e.stream, e.version, e.topic, e.id::uuid, e.type, e.at::timestamptz, e.by, e.provenance, e.data::json
  FROM json_to_recordset($1) AS e (sequence bigint, stream text, version integer, topic text, id text, type text,
    at text, by text, provenance text, data text)`;
const insertKeys = `INSERT INTO signalbox.remembered (key, fingerprint, at, answer, token)
  SELECT k.key, k.fingerprint, k.at::timestamptz, k.answer, k.token::uuid
  FROM json_to_recordset($1) AS k (key text, fingerprint text, at text, answer text, token text)`;
