import type { IdempotencyGuard } from '../../kernel/event-log.ts';
import type { StampedEvent } from '../stamp-events.ts';
import { storable } from '../storable.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { DatabaseConnection } from './database-connection.ts';

/** `token` marks this writing of the key, `seen` the one that the caller has looked at. */
export type KeyWrite = IdempotencyGuard & { token: string; seen: string | null };

/** What one call decided, as the database is to check and write it. */
export type AppendRequest = {
  at: string;
  /** The version of every stream that is written or was read. */
  expected: ReadonlyMap<string, number>;
  written: readonly StampedEvent[];
  key: KeyWrite | undefined;
};

export type AppendResult = { outcome: 'written' | 'moved' | 'known' | 'early' | 'late'; first: number };

/** One statement for all of them; each is written whole or not at all. */
export async function append(
  connection: DatabaseConnection,
  clock: DatabaseClock,
  writes: readonly AppendRequest[],
): Promise<readonly AppendResult[]> {
  const asked = clock.askedAt();
  const rows = await connection.query<{ outcome: AppendResult['outcome']; first: string; clock: Date }>(
    'SELECT outcome, first, clock FROM signalbox.append($1)',
    [JSON.stringify(writes.map(asJson))],
  );
  for (const row of rows.slice(-1)) clock.setFrom(row.clock, asked);
  return rows.map(({ outcome, first }) => ({ outcome, first: Number(first) }));
}

const asJson = ({ at, expected, written, key }: AppendRequest) => ({
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
