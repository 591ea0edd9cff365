import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../../packages/service/src/app/system-clock.ts';
import { migrateAt } from '../../../packages/service/src/store/postgres/migrate-postgres.ts';
import { openPostgresLog } from '../../../packages/service/src/store/postgres/postgres-log.ts';
import { createCluster } from '../../postgres/cluster.ts';
import { withClient } from '../../postgres/dump.ts';

// Exit code 1 if a call is decided on an event that the database lost before the call was written.
const folder = mkdtempSync(join(tmpdir(), 'signalbox-planted-'));
const cluster = await createCluster(folder, ['fsync=off']);
await cluster.start();
try {
  const url = cluster.url('postgres');
  await migrateAt(url);
  const log = await openPostgresLog({ url, clock: systemClock });
  const folded: string[] = [];
  await log.attach({
    apply: ({ stream }) => folded.push(stream),
    reset: () => folded.splice(0),
  });
  const write = (stream: string) => {
    const events = [{ type: 'a', data: null, by: 'ada' }];
    return log.commit(() => ({ append: [{ stream, events }], answer: () => folded.join(' ') }));
  };
  await write('kept');
  await write('lost');
  await withClient(url, (client) =>
    client.query('DELETE FROM signalbox.events WHERE sequence = 2; UPDATE signalbox.head SET sequence = 1'),
  );
  const decidedOn = await write('next');
  await log.close();
  process.stdout.write(`decided on ${decidedOn}\n`);
  process.exitCode = decidedOn === 'kept next' ? 0 : 1;
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
