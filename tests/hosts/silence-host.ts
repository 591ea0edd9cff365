import pg from 'pg';

/** Makes a host that left look like one that has just crashed: it did not free its name, and its last heartbeat is recent. */
export async function asIfCrashed(url: string, host: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const fresh = `clock_timestamp() + interval '10 minutes'`;
  await client.query(
    `UPDATE signalbox.hosts SET life = gen_random_uuid(), home = gen_random_uuid(), seen_at = ${fresh} WHERE key = $1`,
    [host],
  );
  await client.end();
}

/** Sets the time of a host's last heartbeat back, as if it had been silent since then, and wakes the other hosts. */
export async function silenceHost(url: string, host: string, seconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('UPDATE signalbox.hosts SET seen_at = seen_at - $2 * interval $$1 s$$ WHERE key = $1', [
    host,
    seconds,
  ]);
  await client.query(`NOTIFY signalbox_hosts, '${host}'`);
  await client.end();
}
