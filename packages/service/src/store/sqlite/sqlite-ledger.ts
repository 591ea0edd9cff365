import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isCorrupt, sqliteCode } from '../../files/sqlite-error.ts';
import { openWal } from '../../files/sqlite-file.ts';
import { longPiece, type RecordedEvent } from '../../kernel/event-log.ts';
import { DamagedStore, isIntact } from '../event-checksum.ts';
import type { Ledger, StampedEvent, StoredKey } from '../ledger.ts';
import { GapCheck } from '../moved-events.ts';
import { makeOwnerOnlyFile } from '../owner-only-file.ts';
import { type RawEvent, rawEventIn, rawKeyIn, recordedEvent } from '../raw-event.ts';
import { migrate, type OnMigration } from './migrate-sqlite.ts';

/** `OFF` is for measuring the cost of durability; no answer given under it survives a power failure. */
export type Synchronous = 'FULL' | 'OFF';

export function openDatabase(path: string, synchronous: Synchronous = 'FULL', onMigration?: OnMigration): DatabaseSync {
  if (path !== ':memory:') makeOwnerOnlyFile(path);
  let database: DatabaseSync | undefined;
  try {
    database = openWal(path, 250);
    database.exec(`PRAGMA synchronous = ${synchronous}`);
    if (synchronous === 'FULL') flushWholly(database);
    migrate(database, onMigration);
    return database;
  } catch (fault) {
    database?.close();
    throw asStoreFault(fault);
  }
}

/** On macOS a plain flush leaves the bytes in the drive's own memory; on other systems these settings change nothing. */
const wholeFlushes = ['fullfsync', 'checkpoint_fullfsync'] as const;

function flushWholly(database: DatabaseSync): void {
  for (const name of wholeFlushes) database.exec(`PRAGMA ${name} = ON`);
  const off = wholeFlushes.filter((name) => !isOn(database, name));
  if (off.length > 0) throw new Error(`SQLite refuses PRAGMA ${off.join(' and ')}: confirmed writes could be lost`);
}

const isOn = (database: DatabaseSync, name: string): boolean =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0] === 1;

const columns = 'sequence, stream, version, topic, id, type, at, by, provenance, data';

/** Rows of events as lists of columns, which take half the time of objects; Node before 22.16 has only objects. */
function prepareEvents(database: DatabaseSync, rest: string): StatementSync {
  const statement = database.prepare(`SELECT ${columns} FROM events ${rest}`);
  statement.setReturnArrays?.(true);
  return statement;
}

const intact = (row: unknown): RawEvent => {
  const list: readonly unknown[] = Array.isArray(row) ? row : Object.values(Object(row));
  const [sequence, stream, version, topic, id, type, at, by, provenance, data] = list;
  const raw = rawEventIn({ sequence, stream, version, topic, id, type, at, by, provenance, data });
  if (!isIntact(raw.id, raw, raw.data)) throw new DamagedStore(`event ${raw.sequence} differs from what was written`);
  return raw;
};
const recorded = (row: unknown): RecordedEvent => recordedEvent(intact(row));

/** The first events, until their data is long. */
function pieceOf(rows: Iterable<unknown>): RecordedEvent[] {
  const piece: RecordedEvent[] = [];
  let length = 0;
  for (const row of rows) {
    const raw = intact(row);
    length += raw.data.length;
    if (piece.length > 0 && length > longPiece) break;
    piece.push(recordedEvent(raw));
  }
  return piece;
}

/**
 * The log after that event, or from the first, checked for unexplained gaps and for its end: one wrong bit in a page
 * can hide the newest rows of a table, but its index still has them.
 */
function* eventsOf(rows: Iterable<unknown>, after: number, newestIndexed: () => number): Iterable<RecordedEvent> {
  const gaps = new GapCheck(after);
  let last = after;
  try {
    const newest = newestIndexed();
    for (const row of rows) {
      const event = recorded(row);
      gaps.read(event);
      last = event.sequence;
      yield event;
    }
    gaps.end();
    if (last < newest) throw new DamagedStore(`events ${last + 1} to ${newest} are missing`);
  } catch (fault) {
    throw asStoreFault(fault);
  }
}

/** The newest event of each topic, found by the index alone, without reading the others. */
export const newestOfTopics = `
  WITH RECURSIVE topics (topic) AS (
    SELECT min(topic) FROM events INDEXED BY events_of_a_topic
    UNION ALL
    SELECT (SELECT min(topic) FROM events INDEXED BY events_of_a_topic WHERE topic > topics.topic)
    FROM topics WHERE topic IS NOT NULL
  )
  SELECT coalesce(max((SELECT max(sequence) FROM events INDEXED BY events_of_a_topic WHERE topic = topics.topic)), 0) AS sequence
  FROM topics`;

function read<Answer>(ask: () => Answer): Answer {
  try {
    return ask();
  } catch (fault) {
    throw asStoreFault(fault);
  }
}

export const asStoreFault = (fault: unknown): unknown =>
  isCorrupt(fault) ? new DamagedStore('its file cannot be read', fault) : fault;

/**
 * A full disk or a foreign lock may be temporary. After these errors the content of the file is unknown: nothing is
 * retried, and a restart reads the file again.
 */
const fatal = new Set([8, 10, 11, 14, 26]);
const isFatal = (fault: unknown): boolean => fatal.has(sqliteCode(fault));

export function createSqliteLedger(database: DatabaseSync): Ledger {
  return { ...writing(database), ...reading(database), isFatal, close: () => database.close() };
}

function writing(database: DatabaseSync) {
  const append = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const remember = database.prepare('INSERT OR REPLACE INTO remembered VALUES (?, ?, ?, ?)');
  const forget = database.prepare('DELETE FROM remembered WHERE at < ?');
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  return {
    begin: () => void begin.run(),
    append({ event, text }: StampedEvent) {
      const { sequence, stream, version, topic, id, type, at, by, provenance } = event;
      append.run(sequence, stream, version, topic, id, type, at, by, provenance, text);
    },
    remember: ({ key, fingerprint, at, answer }: StoredKey) => void remember.run(key, fingerprint, at, answer),
    forget: (before: string) => void forget.run(before),
    commit: () => void commit.run(),
    // SQLite rolls back by itself after some faults.
    rollback: () => void (database.isTransaction && database.exec('ROLLBACK')),
    probe: () => database.exec('INSERT INTO probe VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET written = written + 1'),
  };
}

function reading(database: DatabaseSync) {
  const all = prepareEvents(database, 'WHERE sequence > ? ORDER BY sequence');
  const epoch = database.prepare('SELECT epoch FROM history');
  const newest = database.prepare('SELECT coalesce(max(sequence), 0) AS sequence FROM events');
  const newestIndexed = database.prepare(newestOfTopics);
  const idAt = database.prepare('SELECT id FROM events WHERE sequence = ?');
  const versions = database.prepare('SELECT stream, max(version) AS version FROM events GROUP BY stream');
  const stream = prepareEvents(database, 'WHERE stream = ? ORDER BY version');
  const topic = prepareEvents(database, 'WHERE topic = ? AND sequence > ? ORDER BY sequence');
  const from = prepareEvents(database, 'WHERE sequence >= ? ORDER BY sequence LIMIT ?');
  const remembered = database.prepare('SELECT * FROM remembered WHERE key = ?');
  return {
    epoch: () => String(epoch.get()?.epoch),
    newest: () => Number(newest.get()?.sequence),
    idAt: (sequence: number) => {
      const id = idAt.get(sequence)?.id;
      return typeof id === 'string' ? id : undefined;
    },
    all: (after = 0) => eventsOf(all.iterate(after), after, () => Number(newestIndexed.get()?.sequence)),
    *versions(): Iterable<readonly [string, number]> {
      for (const row of versions.iterate()) yield [String(row.stream), Number(row.version)];
    },
    stream: (name: string) => read(() => stream.all(name).map(recorded)),
    topic: (name: string, after: number) => read(() => topic.all(name, after).map(recorded)),
    from: (sequence: number, limit: number) => read(() => pieceOf(from.iterate(sequence, limit))),
    remembered: (key: string) =>
      read(() => {
        const row = remembered.get(key);
        return row && rawKeyIn(row);
      }),
  };
}
