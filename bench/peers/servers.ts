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

/** Redis from Debian's packages, flushing before each answer; undefined where it cannot be had. */
export async function startRedis(folder: string): Promise<(AsyncDisposable & { port: number }) | undefined> {
  if (!isThere('redis-server')) spawnSync('apt-get', ['install', '-y', '-qq', 'redis-server']);
  if (!isThere('redis-server')) return undefined;
  const home = join(folder, 'redis');
  mkdirSync(home);
  const port = await freePort();
  const settings = ['--port', String(port), '--dir', home, '--appendonly', 'yes', '--appendfsync', 'always'];
  const child: ChildProcess = spawn('redis-server', [...settings, '--save', ''], { stdio: 'ignore' });
  await answers(port);
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}
