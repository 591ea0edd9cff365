import type { Guard } from '../../kernel/event-log.ts';
import { storable } from '../storable.ts';
import type { Written } from '../written.ts';
import type { Connection } from './connection.ts';
import type { DatabaseClock } from './database-clock.ts';

/** `token` marks this writing of the key, `seen` the one that the caller has looked at. */
export type KeyWrite = Guard & { token: string; seen: string | null };

/** What one call decided, as the database is to check and write it. */
export type Write = {
  at: string;
  /** The version of every stream that is written or was read. */
  expected: ReadonlyMap<string, number>;
  written: readonly Written[];
  key: KeyWrite | undefined;
};

export type Outcome = { outcome: 'written' | 'moved' | 'known' | 'early' | 'late'; first: number };

/** One statement for all of them; each is written whole or not at all. */
export async function append(
  connection: Connection,
  clock: DatabaseClock,
  writes: readonly Write[],
): Promise<readonly Outcome[]> {
  const asked = clock.asks();
  const rows = await connection.query<{ outcome: Outcome['outcome']; first: string; clock: Date }>(
    'SELECT outcome, first, clock FROM signalbox.append($1)',
    [JSON.stringify(writes.map(asJson))],
  );
  for (const row of rows.slice(-1)) clock.heard(row.clock, asked);
  return rows.map(({ outcome, first }) => ({ outcome, first: Number(first) }));
}

const asJson = ({ at, expected, written, key }: Write) => ({
  at,
  expected: Object.fromEntries([...expected].map(([stream, version]) => [storable(stream), version])),
  key: key && { ...key, key: storable(key.key) },
  events: written.map(({ event: { stream, topic, type, by, version, id, provenance }, text }) => ({
    stream,
    topic,
    type,
    by,
    version,
    id,
    provenance,
    data: text,
  })),
});
