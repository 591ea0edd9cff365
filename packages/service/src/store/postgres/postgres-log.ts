import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import type { Decide, IdempotencyGuard, RecordedEvent } from '../../kernel/event-log.ts';
import type { HostTable } from '../../kernel/host-table.ts';
import type { Refusal } from '../../kernel/outcome.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { CountedLog } from '../ledger-log.ts';
import { storable } from '../storable.ts';
import { DatabaseClock } from './database-clock.ts';
import { DatabaseConnection, timeouts } from './database-connection.ts';
import { type EventRow, recorded, selectEvents } from './event-rows.ts';
import { LogFollower } from './follower.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';
import { LogWriter } from './log-writer.ts';
import { migrate } from './migrate-postgres.ts';
import { createHostTable } from './postgres-host-table.ts';
import { asStoreFault, StoreUnavailable } from './store-unavailable.ts';

/** How far memory follows the log, how far that was when last asked, and since when it may be behind: null while it is not. */
export type Following = { sequence: number; head: number; staleSince: string | null };
export type PostgresLog = CountedLog & { following(): Following; hosts: HostTable };

const heartbeatEveryMs = 1000;
const forgetEveryMs = 60 * 60_000;

/** Opens the log in that database, migrated as needed; shared by all hosts that name the same one. */
export async function openPostgresLog({ url, clock }: { url: string; clock: Clock }): Promise<PostgresLog> {
  await migrated(url);
  const pool = new pg.Pool({ connectionString: url, max: 4, application_name: 'signalbox', ...timeouts });
  pool.on('error', () => undefined);
  const parts = assemble(url, clock, pool);
  await parts.connection.open();
  const stops = [
    clock.every(heartbeatEveryMs, () => parts.beat()),
    clock.every(forgetEveryMs, () => parts.keys.forget().catch(() => undefined)),
  ];
  return logOver(parts, pool, stops);
}

async function migrated(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeouts.connectionTimeoutMillis });
  await client.connect();
  await migrate(client).finally(() => client.end());
}

function assemble(url: string, machine: Clock, pool: pg.Pool) {
  const lane = new SerialQueue();
  const clock = new DatabaseClock(machine);
  const state = { begun: false, head: 0, staleSince: null as string | null };
  const connection = new DatabaseConnection(url, {
    connected: () =>
      lane.run(async () => {
        await readHead();
        await (state.begun ? follower.resume() : follower.begin());
        Object.assign(state, { begun: true, staleSince: null });
      }),
    lost() {
      state.staleSince = clock.now();
      writer.refuseWaiting();
    },
    notified(sequence) {
      // Before the positions are known there is nothing to catch up from.
      if (state.begun) lane.run(() => catchUpTo(sequence)).catch(() => undefined);
    },
    hostChanged: (host) => hosts.notified(host),
  });
  const hosts = createHostTable((sql, values) => query(pool, sql, values));
  const follower = new LogFollower(connection);
  const keys = new IdempotencyKeys((sql, values) => query(pool, sql, values));
  const writer = new LogWriter({ connection, clock, follower, keys, queue: lane });

  const catchUpTo = async (sequence: number) => {
    if (sequence > follower.folded.sequence) await follower.catchUp();
  };
  const readHead = async (): Promise<number> => {
    const asked = clock.askedAt();
    const sql = 'SELECT sequence, clock_timestamp() AS clock FROM signalbox.head';
    const [head] = await connection.query<{ sequence: string; clock: Date }>(sql);
    if (head) clock.setFrom(head.clock, asked);
    state.head = Number(head?.sequence ?? state.head);
    return Number(head?.sequence);
  };
  /** Detects a dead connection, a changed clock and events whose notification was lost. */
  const heartbeat = () => lane.run(async () => catchUpTo(await readHead())).catch(() => undefined);
  return { connection, clock, follower, keys, writer, lane, state, beat: heartbeat, hosts };
}

function logOver(
  { connection, clock, follower, keys, writer, lane, state, hosts }: LogParts,
  pool: pg.Pool,
  stops: Stop[],
): PostgresLog {
  const select = async (rest: string, values: unknown[]): Promise<readonly RecordedEvent[]> => {
    if (!connection.isUp) throw new StoreUnavailable();
    return (await query<EventRow>(pool, `${selectEvents} ${rest}`, values)).map(recorded);
  };
  return {
    now: () => clock.now(),
    commit: <Answer>(decide: Decide<Answer>, guard?: IdempotencyGuard) =>
      writer.commit(decide, guard) as Promise<Answer | Refusal>,
    attach: (projection) => lane.run(() => follower.attach(projection)),
    onCommitted: (listener) => follower.listeners.add(listener),
    read: (stream) => select('WHERE stream = $1 ORDER BY version', [storable(stream)]),
    async readTopic(topic, after = 0) {
      const cached = connection.isUp ? null : follower.topics.of(topic, after);
      return cached ?? select('WHERE topic = $1 AND sequence > $2 ORDER BY sequence', [storable(topic), after]);
    },
    rememberedAnswer: async (key) => (connection.isUp ? keys.remembered(key) : undefined),
    async close() {
      for (const stop of stops) stop();
      await writer.close();
      await connection.close();
      await pool.end();
    },
    stats: () => ({ ...writer.stats }),
    following: () => ({ sequence: follower.folded.sequence, head: state.head, staleSince: state.staleSince }),
    hosts,
  };
}

async function query<Row extends pg.QueryResultRow>(pool: pg.Pool, sql: string, values: readonly unknown[]) {
  try {
    return (await pool.query<Row>(sql, [...values])).rows;
  } catch (fault) {
    throw asStoreFault(fault);
  }
}

type LogParts = ReturnType<typeof assemble>;
type Stop = () => void;
