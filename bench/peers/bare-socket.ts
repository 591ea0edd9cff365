import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Contender } from './contender.ts';
import { openSockets } from './ours.ts';

/** The floor of a socket for each agent: our client, and a server that does nothing. Nothing is durable. */
export async function openBareSockets(): Promise<Contender> {
  const server = spawn(process.execPath, [join(import.meta.dirname, '..', 'bare-socket-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(server.stdout, 'data');
  const url = `http://127.0.0.1:${String(port).trim()}`;
  return openSockets('a server that does nothing, a socket for each agent', url, async () => void server.kill());
}
