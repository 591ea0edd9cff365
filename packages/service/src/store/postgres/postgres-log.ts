import pg from 'pg';
import type { Clock } from '../../kernel/clock.ts';
import { longPiece, type RecordedEvent } from '../../kernel/event-log.ts';
import type { HostTable } from '../../kernel/host-table.ts';
import { SerialQueue } from '../../kernel/one-at-a-time.ts';
import type { Outbox } from '../../kernel/outbox.ts';
import type { CountedLog } from '../group-commit.ts';
import type { Snapshots } from '../snapshot.ts';
import { storable } from '../storable.ts';
import { DatabaseClock, lookMs } from './database-clock.ts';
import { DatabaseConnection, type Query, sendOn, setSession, timeouts } from './database-connection.ts';
import { LogFollower } from './follower.ts';
import { IdempotencyKeys } from './idempotency-keys.ts';
import { PositionMissing, readChecked } from './log-position.ts';
import { LogWriter } from './log-writer.ts';
import { migrateAt, newestVersion } from './migrate-postgres.ts';
import { moveTopics } from './move-topics.ts';
import { createHostTable } from './postgres-host-table.ts';
import { createPostgresOutbox } from './postgres-outbox.ts';
import { refuseTransactionPooling } from './refuse-pooling.ts';
import { asStoreFault, StoreUnavailable } from './store-unavailable.ts';

/**
 * How far memory has followed the log, how far the log reached when last queried, and since when memory may be behind
 * (null if it is not). `epochChanges` counts how often the database was found to hold another history.
 */
export type Following = { sequence: number; head: number; staleSince: string | null; epochChanges: number };
/** The database's current time, and how far the clock of this machine is ahead of it. */
export type DatabaseTime = { ms(): number; machineAheadMs(): number };
export type PostgresLog = CountedLog & {
  following(): Following;
  hosts: HostTable;
  outbox: Outbox;
  time: DatabaseTime;
  onReplacing(listener: () => void): void;
};

export type PostgresOptions = {
  url: string;
  clock: Clock;
  snapshots?: Snapshots | undefined;
  /** Called when the database becomes unreachable, and when it is reachable again. */
  onReachable?: ((isReachable: boolean) => void) | undefined;
  /** Called for each version that the database is migrated to. */
  onMigrated?: ((from: number, to: number) => void) | undefined;
};

const heartbeatEveryMs = 1000;
const forgetEveryMs = 60 * 60_000;

/** Opens the log in that database, migrated as needed; shared by all hosts that name the same one. */
export async function openPostgresLog(options: PostgresOptions): Promise<PostgresLog> {
  const { url, clock, onMigrated } = options;
  await refuseTransactionPooling(url);
  const [from, to] = await migrateAt(url);
  if (from > 0 && from < to) onMigrated?.(from, to);
  const pool = openPool(url);
  const parts = assemble(options, pool);
  await parts.connection.open().catch(async (fault: unknown) => {
    await pool.end();
    throw fault;
  });
  const stops = [
    clock.every(heartbeatEveryMs, () => parts.heartbeat()),
    clock.every(lookMs, () => parts.clock.look()),
    clock.every(forgetEveryMs, () => parts.keys.forget().catch(() => undefined)),
  ];
  return logOver(parts, pool, stops);
}

/** Connections for queries that need no order: histories, keys, and shared items. */
function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    application_name: 'signalbox',
    onConnect: (client: pg.ClientBase) => client.query(setSession),
    ...timeouts,
  });
  return pool.on('error', () => undefined);
}

function assemble({ url, clock: machine, snapshots, onReachable }: PostgresOptions, pool: pg.Pool) {
  const queue = new SerialQueue();
  const clock = new DatabaseClock(machine);
  const state: { staleSince: string | null; epochChanges: number } = { staleSince: null, epochChanges: 0 };
  const connection = new DatabaseConnection(url, {
    connected: (query) =>
      queue.run(async () => {
        await migrateWhereBehind(query, url);
        await follower.resume(query);
        if (state.staleSince !== null) onReachable?.(true);
        state.staleSince = null;
      }),
    lost() {
      state.staleSince = clock.heardAt();
      onReachable?.(false);
      writer.refuseWaiting();
    },
    notified: (sequence) => catchUp(sequence),
    hostChanged: (host) => hosts.notified(host),
  });
  const inPool = queryIn(pool);
  const hosts = createHostTable(inPool);
  const follower = new LogFollower(connection.query, clock, snapshots);
  follower.onReplaced(() => {
    state.epochChanges += 1;
  });
  const keys = new IdempotencyKeys(inPool);
  const writer = new LogWriter({ connection, clock, follower, keys, queue });
  const catchUp = (sequence?: number) =>
    queue.run(() => (follower.isLoaded ? follower.catchUp(sequence) : follower.load())).catch(() => undefined);
  /** Finds a dead connection, another history, an adjusted clock, and changes whose notification was lost. */
  const heartbeat = () => catchUp();
  return { connection, clock, follower, keys, writer, queue, state, heartbeat, hosts, inPool };
}

/** A dump of an older Signalbox may have been restored. A missing store is not created here, because somebody is restoring it. */
async function migrateWhereBehind(query: Query, url: string): Promise<void> {
  const sql = 'SELECT coalesce(max(version), 0) AS version FROM signalbox.migrations';
  const [row] = await query<{ version: number }>(sql);
  if (!row || row.version === 0) throw new StoreUnavailable();
  if (row.version < newestVersion()) await migrateAt(url);
}

function logOver(parts: LogParts, pool: pg.Pool, stops: Stop[]): PostgresLog {
  const { connection, clock, follower, keys, writer, queue, state, hosts } = parts;
  const select = (events: string, values: readonly unknown[]) => readSameHistory(parts, events, values);
  return {
    now: () => clock.now(),
    commit: (decide, guard) => writer.commit(decide, guard),
    attach: (...projections) => queue.run(() => follower.attach(projections)),
    onCommitted: (listener) => follower.listeners.add(listener),
    onReplaced: (listener) => follower.onReplaced(listener),
    read: (stream) => select('WHERE stream = $4 ORDER BY version', [storable(stream)]),
    async readTopic(topic, after = 0) {
      const cached = connection.isUp ? null : follower.topics.of(topic, after);
      return cached ?? select('WHERE topic = $4 AND sequence > $5 ORDER BY sequence', [storable(topic), after]);
    },
    async firstSince(at) {
      if (!connection.isUp) throw new StoreUnavailable();
      const [row] = await parts.inPool<{ first: string }>(selectFirstSince, [at]);
      return Number(row?.first ?? 1);
    },
    readFrom: (sequence, limit) => select(inPiece, [sequence, limit, longPiece]),
    rememberedAnswer: async (key) => (connection.isUp ? keys.remembered(key) : undefined),
    async close() {
      for (const stop of stops) stop();
      await writer.close();
      await follower.close();
      await connection.close();
      await pool.end();
    },
    stats: () => ({ ...writer.stats }),
    tryWriting: () => connection.isUp,
    moveOut: (topics) => queue.run(() => moveTopics(connection.query, follower, topics)),
    following: () => ({
      sequence: follower.folded.sequence,
      head: follower.head,
      epochChanges: state.epochChanges,
      staleSince: state.staleSince ?? (clock.isSilent() ? clock.heardAt() : null),
    }),
    hosts,
    time: clock,
    onReplacing: (listener) => follower.onReplacing(listener),
    outbox: createPostgresOutbox(parts.inPool),
  };
}

/** The first events, at most so many, until their data is long. */
const inPiece = `
  WHERE sequence IN (
    SELECT sequence FROM (
      SELECT sequence, sum(length(data::text)) OVER (ORDER BY sequence) AS length,
        row_number() OVER (ORDER BY sequence) AS number
      FROM (SELECT sequence, data FROM signalbox.events WHERE sequence >= $4 ORDER BY sequence LIMIT $5) AS next
    ) AS measured WHERE length <= $6 OR number = 1
  ) ORDER BY sequence`;

/** Times increase with the sequence, so a binary search by the primary key finds it: about twenty rows of a million are read. */
const selectFirstSince = `
  WITH RECURSIVE halves (low, high) AS (
    SELECT 1::bigint, coalesce(max(sequence), 0) + 1 FROM signalbox.events
    UNION ALL
    SELECT CASE WHEN middle.at < $1 THEN middle.sequence + 1 ELSE low END,
      CASE WHEN middle.at < $1 THEN high ELSE (low + high) / 2 END
    FROM halves, LATERAL (
      SELECT sequence, at FROM signalbox.events WHERE sequence >= (low + high) / 2 ORDER BY sequence LIMIT 1
    ) AS middle
    WHERE low < high
  )
  SELECT low AS first FROM halves WHERE low >= high LIMIT 1`;

/** A history is read only if the log is the one in memory. */
async function readSameHistory(
  { connection, follower, inPool, heartbeat }: LogParts,
  events: string,
  values: readonly unknown[],
): Promise<readonly RecordedEvent[]> {
  if (!connection.isUp) throw new StoreUnavailable();
  return readChecked(inPool, follower.position, events, values).catch((fault: unknown) => {
    if (!(fault instanceof PositionMissing)) throw fault;
    void heartbeat();
    throw new StoreUnavailable({ cause: fault });
  });
}

const queryIn =
  (pool: pg.Pool): Query =>
  async (sql, values) => {
    try {
      return await sendOn(pool, sql, values);
    } catch (fault) {
      throw asStoreFault(fault);
    }
  };

type LogParts = ReturnType<typeof assemble>;
type Stop = () => void;
