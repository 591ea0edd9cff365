import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing answers on port ${port}`);
}

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;

/** Installs it from Debian's packages if missing; false if that fails. */
function found(program: string, from: string): boolean {
  if (!isThere(program)) spawnSync('apt-get', ['install', '-y', '-qq', from]);
  return isThere(program);
}

type Server = AsyncDisposable & { port: number };

async function serve(program: string, args: readonly string[], port: number): Promise<Server> {
  const child: ChildProcess = spawn(program, args, { stdio: 'ignore' });
  await answers(port);
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Flushing before each answer. */
export async function startRedis(folder: string): Promise<Server | undefined> {
  if (!found('redis-server', 'redis-server')) return undefined;
  const home = join(folder, 'redis');
  mkdirSync(home);
  const port = await freePort();
  const settings = ['--port', String(port), '--dir', home, '--appendonly', 'yes', '--appendfsync', 'always'];
  return serve('redis-server', [...settings, '--save', ''], port);
}

/** One member, which flushes before each answer by default. */
export async function startEtcd(folder: string): Promise<Server | undefined> {
  if (!found('etcd', 'etcd-server')) return undefined;
  const [port, peers] = [await freePort(), await freePort()];
  const urls = (kind: string, at: number) => [
    `--listen-${kind}-urls=http://127.0.0.1:${at}`,
    `--${kind === 'peer' ? 'initial-advertise-peer' : 'advertise-client'}-urls=http://127.0.0.1:${at}`,
  ];
  const cluster = `--initial-cluster=default=http://127.0.0.1:${peers}`;
  const home = `--data-dir=${join(folder, 'etcd')}`;
  return serve('etcd', [home, cluster, ...urls('client', port), ...urls('peer', peers)], port);
}
