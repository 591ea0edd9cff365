import { randomUUID } from 'node:crypto';
import { openSqlite, openSqliteCopy } from '../../files/sqlite-file.ts';
import { streams } from '../../kernel/streams.ts';
import { movedType } from '../moved-events.ts';
import { makeOwnerOnlyFile } from '../owner-only-file.ts';
import { type RawEvent, type RawKey, rawEventColumns, rawEventIn, rawKeyIn } from '../raw-event.ts';
import { archiveName } from './move-topic.ts';
import { asStoreFault, openDatabase } from './sqlite-ledger.ts';

const pageSize = 1_000;

/** Reads a store file page by page, unchanged. A running service may be writing to it. */
export function openRawSqlite(path: string) {
  const database = openSqlite(path, { readOnly: true });
  database.exec('PRAGMA busy_timeout = 2000');
  // One consistent read from first to last, even if events are appended meanwhile.
  database.exec('BEGIN');
  const page = database.prepare('SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?');
  return {
    *events(): Iterable<readonly RawEvent[]> {
      for (let after = 0; ; ) {
        const rows = page.all(after, pageSize).map(rawEventIn);
        if (rows.length === 0) return;
        yield rows;
        after = rows.at(-1)?.sequence ?? after;
      }
    },
    count() {
      const sql = 'SELECT count(*) AS events, coalesce(max(sequence), 0) AS sequence FROM events';
      const { events, sequence } = { ...database.prepare(sql).get() };
      return { events: Number(events), sequence: Number(sequence) };
    },
    keys: () => database.prepare('SELECT * FROM remembered ORDER BY key').all().map(rawKeyIn),
    close: () => database.close(),
  };
}

/** The files with events that were moved out of the log of a copy, by the names that `moveTopic` gives them. */
export function movedTopicsIn(path: string): string[] {
  const database = openSqliteCopy(path);
  try {
    const rows = database.prepare('SELECT sequence, topic FROM events WHERE type = ?').all(movedType);
    return rows
      .filter(({ topic }) => topic !== streams.lost)
      .map(({ sequence, topic }) => archiveName(Number(sequence), String(topic)));
  } finally {
    database.close();
  }
}

/** The schema version of a store file. */
export function versionOfFile(path: string): number {
  const database = openSqlite(path, { readOnly: true });
  try {
    return Number(database.prepare('PRAGMA user_version').get()?.user_version);
  } finally {
    database.close();
  }
}

/** Writes a new store file with these events, completely or not at all. */
export async function writeRawSqlite(path: string, pages: AsyncIterable<readonly RawEvent[]>, keys: readonly RawKey[]) {
  const database = openDatabase(path);
  try {
    const insert = database.prepare(`INSERT INTO events VALUES (${rawEventColumns.map(() => '?').join(', ')})`);
    const remember = database.prepare('INSERT INTO remembered VALUES (?, ?, ?, ?)');
    database.exec('BEGIN IMMEDIATE');
    for await (const page of pages)
      for (const event of page) insert.run(...rawEventColumns.map((member) => event[member]));
    for (const { key, fingerprint, at, answer } of keys) remember.run(key, fingerprint, at, answer);
    database.exec('COMMIT');
    // A single file that can be read without creating another file beside it.
    database.exec('PRAGMA journal_mode = DELETE');
  } finally {
    database.close();
  }
}

/** Gives a restored store a new id: state folded from the previous store does not apply to it. */
export function renewEpoch(path: string): void {
  const database = openDatabase(path);
  try {
    database.prepare('UPDATE history SET epoch = ?').run(randomUUID());
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    database.close();
  }
}

/** A consistent copy of a store file, even while a service writes to it: it contains everything committed before. */
export function copySqlite(from: string, to: string): void {
  const database = openSqlite(from);
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    makeOwnerOnlyFile(to);
    database.prepare('VACUUM INTO ?').run(to);
  } catch (fault) {
    throw asStoreFault(fault);
  } finally {
    database.close();
  }
}
