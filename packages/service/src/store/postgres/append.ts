import type { IdempotencyGuard } from '../../kernel/event-log.ts';
import type { StampedEvent } from '../stamp-events.ts';
import { storable } from '../storable.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Query } from './database-connection.ts';
import type { LogPosition } from './log-position.ts';

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

export type AppendResult = { outcome: 'written' | 'replaced' | 'moved' | 'known' | 'early' | 'late'; first: number };

type AppendRow = { outcome: AppendResult['outcome']; first: string; clock: Date };

/** One statement for all of them, on the history that is folded up to there; each is written whole or not at all. */
export async function append(
  query: Query,
  clock: DatabaseClock,
  { epoch, sequence, id }: LogPosition,
  writes: readonly AppendRequest[],
): Promise<readonly AppendResult[]> {
  const asked = clock.askedAt();
  const rows = await query<AppendRow>('SELECT outcome, first, clock FROM signalbox.append($1, $2, $3, $4)', [
    JSON.stringify(writes.map(asJson)),
    epoch,
    sequence,
    id,
  ]);
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
