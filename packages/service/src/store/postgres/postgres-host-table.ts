import {
  awayAfterMs,
  type HostConflict,
  type HostRegistration,
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
    enter: (me, deadLife) => {
      self = hostKey(me.name);
      return enter(query, me, deadLife);
    },
    async leave({ name, life }) {
      const sql = 'UPDATE signalbox.hosts SET life = $3 WHERE key = $1 AND life = $2';
      await query(sql, [hostKey(name), life, endedLife]);
    },
    async share({ host, life, url, changed, gone }) {
      // PostgreSQL cannot turn an escaped lone surrogate or an escaped NUL into text.
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

/** One statement, so that a host's revision, count and items belong to the same moment. */
const selectOtherHosts = `
  SELECT h.key, h.name, h.url, h.revision, h.items,
    (extract(epoch FROM clock_timestamp() - h.seen_at) * 1000)::float8 AS "silentMs",
    (SELECT json_agg(json_build_object('kind', s.kind, 'id', s.id, 'body', s.body)) FROM signalbox.shared AS s
     WHERE s.host = h.key AND s.revision > coalesce(($2::json ->> h.key)::bigint, -1)) AS changed
  FROM signalbox.hosts AS h WHERE h.key <> $1 ORDER BY h.key`;

/** The life of a host that left. Its sessions stay on the board as long as those of a host that only stopped sending. */
const endedLife = '00000000-0000-0000-0000-000000000000';

/** Rows of live hosts, except this start, and except the earlier start of this host that is known to have ended. */
const isRival = `h.life NOT IN ($2, $3, $4) AND h.seen_at >= clock_timestamp() - $5 * interval '1 ms'`;

type RivalRow = Pick<HostConflict, 'life' | 'machine' | 'pid' | 'silentMs'> & {
  home: string;
  place: string;
  began: Date;
  heard: Date;
};

/** A name is free if no host has it, or if its host left, is away or is known to be dead. */
async function enter(query: Query, me: HostRegistration, deadLife = endedLife): Promise<HostConflict | null> {
  const { name, life, home, place, machine, pid } = me;
  await query('SELECT signalbox.require_whole()', []);
  const key = hostKey(name);
  const known = [key, life, endedLife, deadLife, awayAfterMs];
  const conflict = await rivalOf(query, known, home);
  if (conflict) return conflict;
  const entered = await query(
    `INSERT INTO signalbox.hosts AS h (key, name, life, home, place, machine, pid) VALUES ($1, $6, $2, $7, $8, $9, $10)
     ON CONFLICT (key) DO UPDATE
     SET name = $6, life = $2, home = $7, place = $8, machine = $9, pid = $10, url = NULL,
       began_at = clock_timestamp(), seen_at = clock_timestamp()
     WHERE NOT (${isRival})
     RETURNING life`,
    [...known, storable(name), home, storable(place), storable(machine), pid],
  );
  // Another host was faster between the two statements.
  if (entered.length === 0) return enter(query, me, deadLife);
  await forgetFormerName(query, key, home);
  return null;
}

async function rivalOf(query: Query, known: readonly unknown[], home: string): Promise<HostConflict | null> {
  const [rival] = await query<RivalRow>(
    `SELECT h.life, h.machine, h.pid, h.home, h.place, h.began_at AS began, h.seen_at AS heard,
       (extract(epoch FROM clock_timestamp() - h.seen_at) * 1000)::float8 AS "silentMs"
     FROM signalbox.hosts AS h WHERE (h.key = $1 OR h.home = $6) AND ${isRival} ORDER BY h.home = $6 DESC`,
    [...known, home],
  );
  if (!rival) return null;
  const { life, machine, pid, silentMs } = rival;
  const takenBy = `${rival.place}, since ${rival.began.toISOString()}`;
  return { life, machine, pid, silentMs, takenBy, sameHome: rival.home === home, heardAt: rival.heard.toISOString() };
}

/** Removes the row of a host that came back under another name, which would otherwise be listed twice. */
async function forgetFormerName(query: Query, key: string, home: string): Promise<void> {
  const isDead = `(life = $3 OR seen_at < clock_timestamp() - $4 * interval '1 ms')`;
  const sql = `DELETE FROM signalbox.hosts WHERE home = $2 AND key <> $1 AND ${isDead}`;
  await query(sql, [key, home, endedLife, awayAfterMs]);
}
