import pg from 'pg';
import { asStoreFault, StoreUnavailable } from './store-unavailable.ts';

/** A database that does not answer for this long is away; writes are refused at once from then on. */
export const timeouts = { connectionTimeoutMillis: 3000, query_timeout: 5000 };
const retryMs = 200;

export type ConnectionEvents = {
  /** Runs on each new connection before anyone else may use it. */
  connected(): Promise<void>;
  lost(): void;
  /** Something was appended, up to that sequence. A hint: the log is the truth. */
  notified(sequence: number): void;
  /** Another host shared what it observes. A hint as well. */
  hostChanged(host: string): void;
};

/** The one connection that appends, follows and listens. When it breaks it is made anew, for as long as it takes. */
export class DatabaseConnection {
  readonly #url: string;
  readonly #events: ConnectionEvents;
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isUp = false;
  #closed = false;

  constructor(url: string, events: ConnectionEvents) {
    this.#url = url;
    this.#events = events;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  async open(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'signalbox',
      keepAlive: true,
      ...timeouts,
    });
    client.on('error', () => this.#lose(client));
    client.on('end', () => this.#lose(client));
    client.on('notification', ({ channel, payload = '' }) =>
      channel === 'signalbox_hosts' ? this.#events.hostChanged(payload) : this.#events.notified(Number(payload)),
    );
    this.#client = client;
    try {
      await client.connect();
      await client.query('LISTEN signalbox_events; LISTEN signalbox_hosts');
      await this.#events.connected();
      this.#isUp = this.#client === client;
    } catch (fault) {
      this.#client = undefined;
      await client.end().catch(() => undefined);
      throw fault;
    }
  }

  async query<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = this.#client;
    if (!client) throw new StoreUnavailable();
    try {
      return (await client.query<Row>(sql, [...values])).rows;
    } catch (fault) {
      if (!(fault instanceof pg.DatabaseError)) this.#lose(client);
      throw asStoreFault(fault);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#isUp = false;
    clearTimeout(this.#retry);
    await this.#client?.end();
  }

  /** Once per connection, whichever sign of its end comes first. */
  #lose(client: pg.Client): void {
    if (this.#client !== client || this.#closed) return;
    this.#client = undefined;
    const wasUp = this.#isUp;
    this.#isUp = false;
    client.end().catch(() => undefined);
    if (!wasUp) return;
    this.#events.lost();
    this.#reconnect();
  }

  #reconnect(): void {
    if (this.#closed) return;
    this.#retry = setTimeout(() => this.open().catch(() => this.#reconnect()), retryMs);
  }
}
