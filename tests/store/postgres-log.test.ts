import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import { behavesLikeAnEventLog } from '../../testing/behaves-like-an-event-log.ts';
import { cloneDatabase } from '../postgres/clone.ts';

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
