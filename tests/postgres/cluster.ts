import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { binaries, serverUser } from './binaries.ts';

/** A separate database cluster in `folder`, on its own port. `kill` is kill -9; `start` starts it again. */
export type Cluster = {
  url(database: string): string;
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
};

export async function createCluster(folder: string, settings: readonly string[] = []): Promise<Cluster> {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const bin = binaries(folder);
  const files = join(folder, 'cluster');
  mkdirSync(files, { mode: 0o700 });
  if (serverUser.uid !== undefined) chownSync(files, serverUser.uid, serverUser.gid);
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', files, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...serverUser, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? ''}${made.stdout}${made.stderr}`);

  const port = await freePort();
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=60', ...settings];
  const args = ['-D', files, '-p', String(port), ...options.flatMap((option) => ['-c', option])];
  let server: ChildProcess | undefined;
  const url = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const end = async (signal: NodeJS.Signals) => {
    if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return;
    // Kills the whole group: remaining processes of a server would prevent the next one from starting.
    process.kill(signal === 'SIGKILL' ? -server.pid : server.pid, signal);
    await once(server, 'exit');
  };
  return {
    url,
    async start() {
      // Processes of a killed server may exist for a moment longer, in a call to the disk; the next server refuses to
      // start until they are gone.
      for (let tries = 0; ; tries += 1) {
        const started = spawn(join(bin, 'postgres'), args, {
          ...serverUser,
          cwd: folder,
          stdio: 'ignore',
          detached: true,
        });
        server = started;
        endWithThisProcess(started, folder);
        const answers = await answering(url('postgres'), started).catch((fault: unknown) => {
          if (tries === startTries || started.exitCode === null) throw fault;
          return false;
        });
        if (answers) return;
        await pause(100);
      }
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGQUIT'),
  };
}

function endWithThisProcess(server: ChildProcess, folder: string): void {
  const script = join(import.meta.dirname, 'end-with.ts');
  const args = [script, String(process.pid), String(server.pid), folder];
  spawn(process.execPath, args, { stdio: 'ignore', detached: true }).unref();
}

/** Two minutes each: only against a server that never starts, or never answers. */
const startTries = 1_200;
const answerTries = 4_800;

async function answering(url: string, server: ChildProcess): Promise<boolean> {
  for (let tries = 0; ; tries += 1) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch (fault) {
      if (tries > answerTries || server.exitCode !== null) throw fault;
      await pause(25);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
