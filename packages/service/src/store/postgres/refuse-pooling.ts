import pg from 'pg';

/** The message completes "The database at … cannot be used:". */
export class TransactionPooling extends Error {
  constructor() {
    super(
      'a connection pooler in transaction mode (such as PgBouncer) is in front of it, so this host would miss what others write. Use the address of the database itself, or a pool in session mode',
    );
    this.name = 'TransactionPooling';
  }
}

const tries = 5;

/**
 * Throws if two connections are served in turn by the same server process. A pooler reports one process when it accepts
 * a connection, and another process answers; if the two are the same, nothing more is checked.
 */
export async function refuseTransactionPooling(url: string): Promise<void> {
  const connection = { connectionString: url, connectionTimeoutMillis: 3000 };
  const [one, two] = [new pg.Client(connection), new pg.Client(connection)];
  const clients = [one, two];
  for (const client of clients) client.on('error', () => undefined);
  try {
    await one.connect();
    if ((await processOf(one)) === namedProcess(one)) return;
    await two.connect();
    for (let round = 0; round < tries; round += 1) {
      const first = await processOf(one);
      await two.query('BEGIN').catch(() => {
        throw new TransactionPooling();
      });
      const second = await processOf(two);
      await two.query('ROLLBACK');
      if (first === second) throw new TransactionPooling();
    }
  } finally {
    for (const client of clients) await client.end().catch(() => undefined);
  }
}

const namedProcess = (client: pg.Client): unknown => ('processID' in client ? client.processID : undefined);

const processOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid ?? 0;
