import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateAt } from '../../../packages/service/src/store/postgres/migrate-postgres.ts';
import { createCluster } from '../../postgres/cluster.ts';
import { withClient } from '../../postgres/dump.ts';
import { simulateHistories } from './histories.ts';

// Run as: node tests/simulation/run-histories.ts <first seed> <seeds>. Exit code 1, with the seed, at the first story
// that disagrees.
const [first = '1', seeds = '10'] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'signalbox-histories-'));
const cluster = await createCluster(folder, ['fsync=off']);
try {
  await cluster.start();
  await withClient(cluster.url('postgres'), (client) => client.query('CREATE DATABASE histories'));
  const url = cluster.url('histories');
  await migrateAt(url);
  for (let seed = Number(first); seed < Number(first) + Number(seeds); seed += 1) await simulateHistories(seed, url);
  process.stdout.write(`${seeds} stories agree\n`);
} finally {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
