import pg from 'pg';
import { asStoreFault, isRolledBack, isSchemaGone, StoreUnavailable } from './store-unavailable.ts';

/** A database that does not answer for this long counts as unreachable; writes are then refused immediately. */
export const timeouts = { connectionTimeoutMillis: 3000, query_timeout: 5000 };
/** The first retry is almost immediate, for a connection that was merely cut. */
const retryMs = { first: 20, most: 200 };
/** How often a statement is sent again that the database rolled back because of another transaction. */
const mostResends = 20;

export type Query = <Row extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

export type ConnectionEvents = {
  /** Checks a new connection and continues the log on it. Nobody else can use the connection before this resolves. */
  connected(query: Query): Promise<void>;
  lost(): void;
  /** Called when something was appended, up to that sequence. This is only a hint: the log is authoritative. */
  notified(sequence: number): void;
  /** Called when another host shared what it observes. This is only a hint too. */
  hostChanged(host: string): void;
};

/** The settings of every connection, whatever the defaults of the server or the role. */
export const setSession = 'SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED';

/** The one connection that appends, follows and listens. If it breaks, it reconnects, however long that takes. */
export class DatabaseConnection {
  readonly #url: string;
  readonly #events: ConnectionEvents;
  /** Only a checked connection. */
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = retryMs.first;
  #closed = false;

  constructor(url: string, events: ConnectionEvents) {
    this.#url = url;
    this.#events = events;
  }

  get isUp(): boolean {
    return this.#client !== undefined;
  }

  async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'signalbox',
      keepAlive: true,
      ...timeouts,
    });
    let ended = false;
    const lose = () => {
      ended = true;
      this.#lose(client);
    };
    client.on('error', lose).on('end', lose);
    client.on('notification', ({ channel, payload = '' }) =>
      channel === 'signalbox_hosts' ? this.#events.hostChanged(payload) : this.#events.notified(Number(payload)),
    );
    try {
      await client.connect();
      await client.query(`${setSession}; LISTEN signalbox_events; LISTEN signalbox_hosts`);
      await this.#events.connected((sql, values) => sendOn(client, sql, values));
      if (ended || this.#closed) throw new StoreUnavailable();
      this.#client = client;
      this.#retryMs = retryMs.first;
    } catch (fault) {
      // Not awaited: a connection that hangs would delay the next one.
      client.end().catch(() => undefined);
      throw fault;
    }
  }

  query: Query = async (sql, values) => {
    const client = this.#client;
    if (!client) throw new StoreUnavailable();
    try {
      return await sendOn(client, sql, values);
    } catch (fault) {
      // After a restore or swap under this connection it is checked like a new one.
      if (!(fault instanceof pg.DatabaseError) || isSchemaGone(fault)) this.#lose(client);
      throw asStoreFault(fault);
    }
  };

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  /** Runs once per connection, whichever sign of its end comes first. */
  #lose(client: pg.Client): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = undefined;
    client.end().catch(() => undefined);
    this.#events.lost();
    this.#reconnect();
  }

  #reconnect(): void {
    if (this.#closed) return;
    this.#retry = setTimeout(() => this.open().catch(() => this.#reconnect()), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, retryMs.most);
  }
}

/** Each statement is a transaction of its own, so one that was rolled back may be sent again as it is. */
export async function sendOn<Row extends pg.QueryResultRow>(
  client: { query: pg.ClientBase['query'] },
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  for (let resends = 0; ; resends += 1) {
    try {
      return (await client.query<Row>(sql, [...values])).rows;
    } catch (fault) {
      if (!isRolledBack(fault) || resends >= mostResends) throw fault;
    }
  }
}
