import pg from 'pg';

/** Sets a host's last sign of life back, as if it had been silent for so long, and wakes the others. */
export async function silence(url: string, host: string, seconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('UPDATE signalbox.hosts SET seen_at = seen_at - $2 * interval $$1 s$$ WHERE key = $1', [
    host,
    seconds,
  ]);
  await client.query(`NOTIFY signalbox_hosts, '${host}'`);
  await client.end();
}
