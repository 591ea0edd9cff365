import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../../packages/service/src/store/postgres/migrate-postgres.ts';
import { createCluster } from './cluster.ts';

// Run as: node keep-server.ts <folder> <pid>. Keeps one server for a test run, with a migrated template to clone, until
// it is told to stop or the test run with that pid is gone, for whatever reason.
const [folder = '', runner = '0'] = process.argv.slice(2);
const cluster = await createCluster(join(folder, 'server'), ['fsync=off']);
await cluster.start();

async function run(database: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url(database) });
  await client.connect();
  await work(client);
  await client.end();
}
await run('postgres', (client) => client.query('CREATE DATABASE template_signalbox'));
await run('template_signalbox', migrate);
writeFileSync(join(folder, 'ready.new'), cluster.url(''));
renameSync(join(folder, 'ready.new'), join(folder, 'ready'));

async function stop(): Promise<void> {
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
setInterval(() => {
  try {
    process.kill(Number(runner), 0);
  } catch {
    stop();
  }
}, 300);
