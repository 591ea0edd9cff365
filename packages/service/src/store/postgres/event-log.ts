import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import type { Decide, Guard, Recorded } from '../../kernel/event-log.ts';
import type { HostTable } from '../../kernel/host-table.ts';
import type { Refusal } from '../../kernel/outcome.ts';
import type { CountedLog } from '../ledger-log.ts';
import { storable } from '../storable.ts';
import { StoreAway, told } from './away.ts';
import { Connection, timeouts } from './connection.ts';
import { DatabaseClock } from './database-clock.ts';
import { Follower } from './follower.ts';
import { createHostTable } from './host-table.ts';
import { Keys } from './keys.ts';
import { Lane } from './lane.ts';
import { migrate } from './migrate.ts';
import { type EventRow, recorded, selectEvents } from './rows.ts';
import { Writer } from './writer.ts';

/** How far memory follows the log, how far that was when last asked, and since when it may be behind: null while it is not. */
export type Following = { sequence: number; head: number; staleSince: string | null };
export type PostgresLog = CountedLog & { following(): Following; hosts: HostTable };

const heartbeatMs = 1000;
const forgetMs = 60 * 60_000;

/** Opens the log in that database, migrated as needed; shared by all hosts that name the same one. */
export async function openPostgresLog({ url, clock }: { url: string; clock: Clock }): Promise<PostgresLog> {
  await migrated(url);
  const pool = new pg.Pool({ connectionString: url, max: 4, application_name: 'signalbox', ...timeouts });
  pool.on('error', () => undefined);
  const parts = assemble(url, clock, pool);
  await parts.connection.open();
  const stops = [
    clock.every(heartbeatMs, () => parts.beat()),
    clock.every(forgetMs, () => parts.keys.forget().catch(() => undefined)),
  ];
  return port(parts, pool, stops);
}

async function migrated(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeouts.connectionTimeoutMillis });
  await client.connect();
  await migrate(client).finally(() => client.end());
}

function assemble(url: string, machine: Clock, pool: pg.Pool) {
  const lane = new Lane();
  const clock = new DatabaseClock(machine);
  const state = { begun: false, head: 0, staleSince: null as string | null };
  const connection = new Connection(url, {
    arrived: () =>
      lane.enter(async () => {
        await listenToHead();
        await (state.begun ? follower.resume() : follower.begin());
        Object.assign(state, { begun: true, staleSince: null });
      }),
    lost() {
      state.staleSince = clock.now();
      writer.refuseWaiting();
    },
    notified(sequence) {
      // Before the positions are known there is nothing to catch up from.
      if (state.begun) lane.enter(() => catchUpTo(sequence)).catch(() => undefined);
    },
    hostMoved: (host) => hosts.notified(host),
  });
  const hosts = createHostTable((sql, values) => query(pool, sql, values));
  const follower = new Follower(connection);
  const keys = new Keys((sql, values) => query(pool, sql, values));
  const writer = new Writer({ connection, clock, follower, keys, lane });

  const catchUpTo = async (sequence: number) => {
    if (sequence > follower.folded.sequence) await follower.catchUp();
  };
  const listenToHead = async (): Promise<number> => {
    const asked = clock.asks();
    const sql = 'SELECT sequence, clock_timestamp() AS clock FROM signalbox.head';
    const [head] = await connection.query<{ sequence: string; clock: Date }>(sql);
    if (head) clock.heard(head.clock, asked);
    state.head = Number(head?.sequence ?? state.head);
    return Number(head?.sequence);
  };
  /** Finds a dead connection, a clock that was set, and whatever a lost notification would have told. */
  const beat = () => lane.enter(async () => catchUpTo(await listenToHead())).catch(() => undefined);
  return { connection, clock, follower, keys, writer, lane, state, beat, hosts };
}

function port(
  { connection, clock, follower, keys, writer, lane, state, hosts }: Parts,
  pool: pg.Pool,
  stops: Stop[],
): PostgresLog {
  const select = async (rest: string, values: unknown[]): Promise<readonly Recorded[]> => {
    if (!connection.isUp) throw new StoreAway();
    return (await query<EventRow>(pool, `${selectEvents} ${rest}`, values)).map(recorded);
  };
  return {
    now: () => clock.now(),
    commit: <Answer>(decide: Decide<Answer>, guard?: Guard) =>
      writer.commit(decide, guard) as Promise<Answer | Refusal>,
    attach: (projection) => lane.enter(() => follower.attach(projection)),
    onCommitted: (listener) => follower.listeners.add(listener),
    read: (stream) => select('WHERE stream = $1 ORDER BY version', [storable(stream)]),
    async readTopic(topic, after = 0) {
      const held = connection.isUp ? null : follower.stories.of(topic, after);
      return held ?? select('WHERE topic = $1 AND sequence > $2 ORDER BY sequence', [storable(topic), after]);
    },
    remembered: async (key) => (connection.isUp ? keys.remembered(key) : undefined),
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
    throw told(fault);
  }
}

type Parts = ReturnType<typeof assemble>;
type Stop = () => void;
