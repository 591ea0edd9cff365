import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { cloneDatabase } from '../../../../../tests/postgres/clone.ts';
import { systemClock } from '../../app/system-clock.ts';
import { behavesLikeAnEventLog } from '../behaves-like-an-event-log.ts';
import { openPostgresLog } from './postgres-log.ts';

let url = '';
let client: pg.Client;
beforeAll(async () => {
  url = await cloneDatabase();
  client = new pg.Client({ connectionString: url });
  await client.connect();
});
afterAll(() => client.end());

behavesLikeAnEventLog('postgres', async () => {
  await client.query('TRUNCATE signalbox.events, signalbox.remembered; UPDATE signalbox.head SET sequence = 0');
  const log = await openPostgresLog({ url, clock: systemClock });
  const pass = async (ms: number) => {
    await client.query('UPDATE signalbox.remembered SET at = at - $1 * interval $$1 ms$$', [ms]);
  };
  return { log, pass };
});
