import type { Outbox } from '../../kernel/outbox.ts';
import { countsIn, deliveryColumns, deliveryIn, otherHistory } from '../delivery-rows.ts';
import { storable } from '../storable.ts';

type Query = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<Row[]>;

/** The outbox of all hosts of one database. */
export function createPostgresOutbox(query: Query): Outbox {
  return { ...writing(query), ...reading(query), close: async () => undefined };
}

/** One statement, so that the mark never passes items that were not added; an older mark does not move it back. */
const add = `
  WITH moved AS (
    INSERT INTO signalbox.delivery_mark SELECT 1, $1, $2 WHERE $1::bigint IS NOT NULL
    ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, event = excluded.event
    WHERE excluded.sequence > delivery_mark.sequence
  )
  INSERT INTO signalbox.deliveries (receiver, id, type, subject, at, content, state, queued_at, attempts, next_at)
  SELECT receiver, id, type, subject, at, content, 'waiting', $3::text, 0, $3::text
  FROM json_to_recordset($4::json) AS item (receiver text, id text, type text, subject text, at text, content text)
  ON CONFLICT (receiver, id) DO NOTHING`;

function writing(query: Query): Pick<Outbox, 'put' | 'begin' | 'settle' | 'hurry' | 'again' | 'forget' | 'takeDuty'> {
  return {
    async put(items, mark, now) {
      const rows = items.map((item) => ({ ...item, subject: storable(item.subject), content: storable(item.content) }));
      await query(add, [mark?.sequence ?? null, mark?.id ?? null, now, JSON.stringify(rows)]);
    },
    async begin({ mark: { sequence, id }, after, queuedBefore }, now) {
      await query(
        `WITH begun AS (
           INSERT INTO signalbox.delivery_mark VALUES (1, $1, $2)
           ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, event = excluded.event
           WHERE $6 OR delivery_mark.event = $7
           RETURNING id
         )
         UPDATE signalbox.deliveries SET state = 'failed', next_at = NULL, last_at = $3, last_error = $4
         WHERE state = 'waiting' AND ($5::text IS NULL OR queued_at < $5) AND EXISTS (SELECT FROM begun)`,
        [sequence, id, now, otherHistory, queuedBefore ?? null, after === undefined, after?.id ?? null],
      );
    },
    async settle({ receiver, id }, { at, state, nextAt, status, error }) {
      await query(
        `UPDATE signalbox.deliveries
         SET state = $3, next_at = $4, attempts = attempts + 1, last_at = $5, last_status = $6, last_error = $7
         WHERE receiver = $1 AND id = $2`,
        [receiver, id, state, nextAt, at, status, error],
      );
    },
    async hurry(receiver, now) {
      await query(`UPDATE signalbox.deliveries SET next_at = $2 WHERE receiver = $1 AND state = 'waiting'`, [
        receiver,
        now,
      ]);
    },
    async again({ receiver, id }, now) {
      const rows = await query(
        `UPDATE signalbox.deliveries SET state = 'waiting', queued_at = $3, next_at = $3, attempts = 0
         WHERE receiver = $1 AND id = $2 RETURNING id`,
        [receiver, id, now],
      );
      return rows.length > 0;
    },
    async forget(before) {
      await query(`DELETE FROM signalbox.deliveries WHERE state <> 'waiting' AND last_at < $1`, [before]);
    },
    async takeDuty(receiver, host, now, until) {
      const rows = await query(
        `INSERT INTO signalbox.delivery_duties VALUES ($1, $2, $4)
         ON CONFLICT (receiver) DO UPDATE SET host = excluded.host, until = excluded.until
         WHERE delivery_duties.host = excluded.host OR delivery_duties.until < $3 RETURNING host`,
        [receiver, host, now, until],
      );
      return rows.length > 0;
    },
  };
}

function reading(query: Query): Pick<Outbox, 'mark' | 'due' | 'list' | 'lastTried' | 'counts'> {
  return {
    async mark() {
      const [row] = await query<{ sequence: string; id: string }>(
        'SELECT sequence, event AS id FROM signalbox.delivery_mark',
        [],
      );
      return row ? { sequence: Number(row.sequence), id: row.id } : null;
    },
    async due(receiver, now) {
      const rows = await query<Record<string, unknown>>(
        `SELECT ${deliveryColumns} FROM (
           SELECT DISTINCT ON (subject) * FROM signalbox.deliveries
           WHERE receiver = $1 AND state = 'waiting' ORDER BY subject, number
         ) AS d WHERE next_at <= $2 ORDER BY attempts, number LIMIT 50`,
        [receiver, now],
      );
      return rows.map(deliveryIn);
    },
    async list({ receiver = null, state = null, before = null, limit }) {
      const rows = await query<Record<string, unknown>>(
        `SELECT ${deliveryColumns} FROM signalbox.deliveries
         WHERE ($1::text IS NULL OR receiver = $1) AND ($2::text IS NULL OR state = $2) AND ($3::bigint IS NULL OR number < $3)
         ORDER BY number DESC LIMIT $4`,
        [receiver, state, before, limit],
      );
      return rows.map(deliveryIn);
    },
    async lastTried(receiver) {
      const [row] = await query<Record<string, unknown>>(
        `SELECT ${deliveryColumns} FROM signalbox.deliveries WHERE receiver = $1 AND last_at IS NOT NULL
         ORDER BY last_at DESC, number DESC LIMIT 1`,
        [receiver],
      );
      return row && deliveryIn(row);
    },
    async counts() {
      const sql = 'SELECT receiver, state, count(*) AS count FROM signalbox.deliveries GROUP BY receiver, state';
      return (await query<Record<string, unknown>>(sql, [])).map(countsIn);
    },
  };
}
