import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { cloneDatabase } from '../../postgres/clone.ts';
import { isLong } from '../../rounds.ts';
import { startedProcess } from '../../spawn.ts';

/** A proxy before the database; once it hangs, it passes nothing on and refuses nothing. */
async function hangingDoor({ hostname, port }: URL) {
  const sockets = new Set<Socket>();
  let hangs = false;
  const server = createServer((caller) => {
    sockets.add(caller.on('error', () => undefined));
    if (hangs) return;
    const database = connect(Number(port), hostname).on('error', () => undefined);
    sockets.add(database);
    caller.pipe(database).pipe(caller);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hang() {
      hangs = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.runIf(isLong)('a hanging database does not prevent a host from stopping', async () => {
  const store = new URL(await cloneDatabase());
  await using door = await hangingDoor(store);
  store.port = String(door.port);
  await using service = await startedProcess({ Service__Store: store.href, Service__HostName: 'ada' });
  door.hang();
  service.child.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
