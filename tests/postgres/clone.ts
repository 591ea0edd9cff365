import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { folder: string; runner: number };
  }
}

/** The address of a new, migrated database on the server of this test run, which is started on the first request. */
export async function cloneDatabase(): Promise<string> {
  const server = await serverUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: `${server}postgres` });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE template_signalbox`);
  await client.end();
  return `${server}${name}`;
}

/** Two minutes: only against a server that never comes up. */
const mostTries = 4_000;

async function serverUrl(): Promise<string> {
  const { folder, runner } = inject('postgres');
  if (isFirst(folder)) startKeeper(folder, runner);
  const ready = join(folder, 'ready');
  for (let tries = 0; !existsSync(ready); tries += 1) {
    if (tries > mostTries)
      throw new Error(`No PostgreSQL server came up:\n${readFileSync(join(folder, 'errors'), 'utf8')}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return readFileSync(ready, 'utf8');
}

/** Test files run in several processes; the one that creates the file starts the server. */
function isFirst(folder: string): boolean {
  try {
    writeFileSync(join(folder, 'first'), '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function startKeeper(folder: string, runner: number): void {
  chmodSync(folder, 0o755);
  const errors = openSync(join(folder, 'errors'), 'a');
  const script = join(import.meta.dirname, 'keep-server.ts');
  const keeper = spawn(process.execPath, [script, folder, String(runner)], {
    detached: true,
    stdio: ['ignore', 'ignore', errors],
  });
  writeFileSync(join(folder, 'keeper'), String(keeper.pid));
  keeper.unref();
}
