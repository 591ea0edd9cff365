import {
  awayAfterMs,
  type HostRow,
  type HostTable,
  hostKey,
  type ItemKey,
  type SharedItem,
} from '../../kernel/host-table.ts';
import { storable } from '../storable.ts';

type Query = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<Row[]>;
type OtherHostRow = Omit<HostRow, 'revision' | 'changed'> & { revision: string; changed: readonly SharedItem[] | null };

export type NotifiedHostTable = HostTable & { notified(host: string): void };

/** The hosts of one database, and what they share. */
export function createHostTable(query: Query): NotifiedHostTable {
  const listeners = new Set<(host: string) => void>();
  let self = '';
  return {
    enter: (me) => {
      self = hostKey(me.name);
      return enter(query, me);
    },
    async leave({ name, life }) {
      const sql = 'UPDATE signalbox.hosts SET life = $3 WHERE key = $1 AND life = $2';
      await query(sql, [hostKey(name), life, endedLife]);
    },
    async share({ host, life, url, changed, gone }) {
      // A lone surrogate and NUL are the only escapes of a code unit that PostgreSQL cannot turn into text.
      const news = JSON.stringify({ changed, gone }).replace(/\\u(0000|d[89a-f]..)/g, '\\ufffd');
      const [row] = await query<{ share: boolean }>('SELECT signalbox.share_whole($1, $2, $3, $4) AS share', [
        hostKey(host),
        life,
        url,
        news,
      ]);
      return row?.share === true;
    },
    async read(own, known) {
      const rows = await query<OtherHostRow>(selectOtherHosts, [hostKey(own), JSON.stringify(known)]);
      return rows.map((row) => ({ ...row, revision: Number(row.revision), changed: row.changed ?? [] }));
    },
    keysOf: (host) => query<ItemKey>('SELECT kind, id FROM signalbox.shared WHERE host = $1', [hostKey(host)]),
    itemsOf: (host) =>
      query<SharedItem>('SELECT kind, id, body FROM signalbox.shared WHERE host = $1', [hostKey(host)]),
    async forget(silentMs) {
      const sql = 'DELETE FROM signalbox.hosts WHERE seen_at < clock_timestamp() - $1 * interval $$1 ms$$';
      await query(sql, [silentMs]);
    },
    onShared(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notified(host) {
      if (host !== self) for (const listener of listeners) listener(host);
    },
  };
}

/** One statement, so that a host's revision, count and items are of one moment. */
const selectOtherHosts = `
  SELECT h.key, h.name, h.url, h.revision, h.items,
    (extract(epoch FROM clock_timestamp() - h.seen_at) * 1000)::float8 AS "silentMs",
    (SELECT json_agg(json_build_object('kind', s.kind, 'id', s.id, 'body', s.body)) FROM signalbox.shared AS s
     WHERE s.host = h.key AND s.revision > coalesce(($2::json ->> h.key)::bigint, -1)) AS changed
  FROM signalbox.hosts AS h WHERE h.key <> $1 ORDER BY h.key`;

/** The life of a host that left: its sessions stay on the board for as long as those of one that only fell silent. */
const endedLife = '00000000-0000-0000-0000-000000000000';

/** A name is free where nobody has it, where its host left or is away, and for the data path that had it before: that one is dead. */
async function enter(query: Query, { name, life, home, place }: Parameters<HostTable['enter']>[0]) {
  await query('SELECT signalbox.require_whole()', []);
  const entered = await query<{ life: string }>(
    `INSERT INTO signalbox.hosts AS h (key, name, life, home, place) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (key) DO UPDATE
     SET name = $2, life = $3, home = $4, place = $5, url = NULL, began_at = clock_timestamp(), seen_at = clock_timestamp()
     WHERE h.home = $4 OR h.life = $7 OR h.seen_at < clock_timestamp() - $6 * interval '1 ms'
     RETURNING life`,
    [hostKey(name), storable(name), life, home, storable(place), awayAfterMs, endedLife],
  );
  if (entered.length > 0) {
    await forgetFormerName(query, hostKey(name), home);
    return null;
  }
  const [other] = await query<{ place: string; began: Date }>(
    'SELECT place, began_at AS began FROM signalbox.hosts WHERE key = $1',
    [hostKey(name)],
  );
  return { takenBy: other ? `${other.place}, since ${other.began.toISOString()}` : 'another host' };
}

/** Removes the row of a host that came back under another name, which would otherwise be listed twice. */
async function forgetFormerName(query: Query, key: string, home: string): Promise<void> {
  const isDead = `(life = $3 OR seen_at < clock_timestamp() - $4 * interval '1 ms')`;
  const sql = `DELETE FROM signalbox.hosts WHERE home = $2 AND key <> $1 AND ${isDead}`;
  await query(sql, [key, home, endedLife, awayAfterMs]);
}
