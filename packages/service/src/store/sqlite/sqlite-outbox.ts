import type { DatabaseSync } from 'node:sqlite';
import { openWal } from '../../files/sqlite-file.ts';
import type { Outbox } from '../../kernel/outbox.ts';
import { countsIn, deliveryColumns, deliveryIn, otherHistory } from '../delivery-rows.ts';
import { makeOwnerOnlyFile } from '../owner-only-file.ts';

const schema = `
  CREATE TABLE IF NOT EXISTS mark (id INTEGER PRIMARY KEY CHECK (id = 1), sequence INTEGER NOT NULL, event TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS deliveries (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    receiver TEXT NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, subject TEXT NOT NULL, at TEXT NOT NULL,
    content TEXT NOT NULL, state TEXT NOT NULL, queued_at TEXT NOT NULL, attempts INTEGER NOT NULL,
    next_at TEXT, last_at TEXT, last_status INTEGER, last_error TEXT,
    UNIQUE (receiver, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS waiting_deliveries ON deliveries (receiver, subject, number) WHERE state = 'waiting'`;

/**
 * The outbox of one host, in its own file. A commit is not flushed by itself. After a power failure the mark is as old
 * as the items, so missing items are derived again.
 */
export function openSqliteOutbox(path: string): Outbox {
  makeOwnerOnlyFile(path);
  const database = openWal(path, 250);
  database.exec(`PRAGMA synchronous = NORMAL; ${schema}`);
  return {
    ...writing(database),
    ...reading(database),
    takeDuty: async () => true,
    close: async () => database.close(),
  };
}

function writing(database: DatabaseSync): Pick<Outbox, 'put' | 'begin' | 'settle' | 'hurry' | 'again' | 'forget'> {
  const move = database.prepare('INSERT OR REPLACE INTO mark VALUES (1, ?, ?)');
  const add = database.prepare(
    `INSERT OR IGNORE INTO deliveries (receiver, id, type, subject, at, content, state, queued_at, attempts, next_at)
     VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, 0, ?)`,
  );
  const giveUp = database.prepare(
    `UPDATE deliveries SET state = 'failed', next_at = NULL, last_at = ?, last_error = ? WHERE state = 'waiting'`,
  );
  const settle = database.prepare(
    `UPDATE deliveries SET state = ?, next_at = ?, attempts = attempts + 1, last_at = ?, last_status = ?, last_error = ?
     WHERE receiver = ? AND id = ?`,
  );
  const hurry = database.prepare(`UPDATE deliveries SET next_at = ? WHERE receiver = ? AND state = 'waiting'`);
  const again = database.prepare(
    `UPDATE deliveries SET state = 'waiting', queued_at = ?, next_at = ?, attempts = 0 WHERE receiver = ? AND id = ?`,
  );
  const forget = database.prepare(`DELETE FROM deliveries WHERE state <> 'waiting' AND last_at < ?`);
  return {
    async put(items, mark, now) {
      database.exec('BEGIN IMMEDIATE');
      try {
        for (const { receiver, id, type, subject, at, content } of items)
          add.run(receiver, id, type, subject, at, content, now, now);
        if (mark) move.run(mark.sequence, mark.id);
        database.exec('COMMIT');
      } catch (fault) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw fault;
      }
    },
    async begin({ mark: { sequence, id } }, now) {
      giveUp.run(now, otherHistory);
      move.run(sequence, id);
    },
    async settle({ receiver, id }, { at, state, nextAt, status, error }) {
      settle.run(state, nextAt, at, status, error, receiver, id);
    },
    hurry: async (receiver, now) => void hurry.run(now, receiver),
    again: async ({ receiver, id }, now) => Number(again.run(now, now, receiver, id).changes) > 0,
    forget: async (before) => void forget.run(before),
  };
}

function reading(database: DatabaseSync): Pick<Outbox, 'mark' | 'due' | 'list' | 'lastTried' | 'counts'> {
  const mark = database.prepare('SELECT sequence, event AS id FROM mark');
  const due = database.prepare(
    `SELECT ${deliveryColumns} FROM deliveries AS d WHERE receiver = ? AND state = 'waiting' AND next_at <= ?
       AND NOT EXISTS (SELECT 1 FROM deliveries AS e WHERE e.receiver = d.receiver AND e.subject = d.subject
         AND e.state = 'waiting' AND e.number < d.number)
     ORDER BY attempts, number LIMIT 50`,
  );
  const list = database.prepare(
    `SELECT ${deliveryColumns} FROM deliveries WHERE (?1 IS NULL OR receiver = ?1) AND (?2 IS NULL OR state = ?2)
       AND (?3 IS NULL OR number < ?3) ORDER BY number DESC LIMIT ?4`,
  );
  const lastTried = database.prepare(
    `SELECT ${deliveryColumns} FROM deliveries WHERE receiver = ? AND last_at IS NOT NULL ORDER BY last_at DESC, number DESC LIMIT 1`,
  );
  const counts = database.prepare('SELECT receiver, state, count(*) AS count FROM deliveries GROUP BY receiver, state');
  return {
    async mark() {
      const row = mark.get();
      return row ? { sequence: Number(row.sequence), id: String(row.id) } : null;
    },
    due: async (receiver, now) => due.all(receiver, now).map(deliveryIn),
    list: async ({ receiver = null, state = null, before = null, limit }) =>
      list.all(receiver, state, before, limit).map(deliveryIn),
    async lastTried(receiver) {
      const row = lastTried.get(receiver);
      return row && deliveryIn(row);
    },
    counts: async () => counts.all().map(countsIn),
  };
}
