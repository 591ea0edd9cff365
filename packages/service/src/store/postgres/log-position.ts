import type { RecordedEvent } from '../../kernel/event-log.ts';
import { DamagedStore, isIntact } from '../event-checksum.ts';
import type { RawEvent } from '../raw-event.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Query } from './database-connection.ts';
import { StoreUnavailable } from './store-unavailable.ts';

/** How far the log was read, and in which history. The epoch is null while nothing was read. */
export type LogPosition = { epoch: string | null; sequence: number; id: string | null };

/** The log does not contain the event that was read last: the database was restored, swapped or promoted without its last events. */
export class PositionMissing extends Error {
  constructor() {
    super('The database has a different history from the one that was read.');
    this.name = 'PositionMissing';
  }
}

/** Eight-byte integers come as text; the data comes as the text that was written. */
export type EventRow = Omit<RawEvent, 'sequence' | 'at'> & { sequence: string; at: Date };

export const eventColumns = 'sequence, stream, version, topic, id, type, at, by, provenance, data::text AS data';

export function recorded({
  sequence,
  stream,
  version,
  topic,
  id,
  type,
  at,
  by,
  provenance,
  data,
}: EventRow): RecordedEvent {
  const event = { sequence: Number(sequence), stream, version, topic, id, type, at: at.toISOString(), by, provenance };
  if (!isIntact(id, event, data)) throw new DamagedStore(`event ${sequence} differs from what was written`);
  return { ...event, data: JSON.parse(data) };
}

export type LogPage = { epoch: string; head: number; events: readonly RecordedEvent[] };

const pageSize = 2000;

type PageRow = { epoch: string; head: string; whole: boolean; holds: boolean; clock: Date } & (
  | { sequence: null }
  | EventRow
);

/** One statement, so that the check and the events are of one moment. Returns at least one row if there is a head. */
const selectChecked = (events: string) => `
  SELECT h.*, e.* FROM (
    SELECT epoch, sequence AS head, clock_timestamp() AS clock,
      signalbox.is_whole() AS whole, signalbox.holds($1, $2, $3) AS holds FROM signalbox.head
  ) AS h
  LEFT JOIN LATERAL (SELECT ${eventColumns} FROM signalbox.events ${events}) AS e ON h.holds
  ORDER BY e.sequence`;

const selectPage = selectChecked(`WHERE sequence > $2 AND sequence <= $4 ORDER BY sequence LIMIT ${pageSize}`);

/** The events after that position. Throws `PositionMissing` if the log does not contain it. */
export async function readPage(
  query: Query,
  { epoch, sequence, id }: LogPosition,
  last: number,
  clock?: DatabaseClock,
): Promise<LogPage> {
  const asked = clock?.askedAt() ?? 0;
  const { rows, head } = checked(await query<PageRow>(selectPage, [epoch, sequence, id, last]));
  clock?.setFrom(head.clock, asked);
  const events = rows.map(recorded);
  const reached = events.at(-1)?.sequence ?? sequence;
  // The head differs from the end of the events only during a restore.
  if (events.length < pageSize && reached < Math.min(last, Number(head.head))) throw new StoreUnavailable();
  return { epoch: head.epoch, head: Number(head.head), events };
}

/** Events of the history at that position, selected by the end of a statement; its own values start at `$4`. */
export async function readChecked(
  query: Query,
  { epoch, sequence, id }: LogPosition,
  events: string,
  values: readonly unknown[],
): Promise<readonly RecordedEvent[]> {
  return checked(await query<PageRow>(selectChecked(events), [epoch, sequence, id, ...values])).rows.map(recorded);
}

function checked(rows: readonly PageRow[]): { head: PageRow; rows: readonly EventRow[] } {
  const [head] = rows;
  // No head row: a restore has created the table but not filled it yet.
  if (!head?.whole) throw new StoreUnavailable();
  if (!head.holds) throw new PositionMissing();
  return { head, rows: rows.filter((row): row is PageRow & EventRow => row.sequence !== null) };
}
