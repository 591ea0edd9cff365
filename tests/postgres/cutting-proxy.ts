import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A proxy between a host and its database. Every chunk from the database can be delayed. A connection can be cut after
 * a given number of chunks, which tests the steps of a reconnect one by one.
 */
export type CuttingProxy = AsyncDisposable & {
  /** The address of that database through this proxy. */
  through(url: string): string;
  /** Cuts every open connection. */
  cut(): void;
  /** Each of the next connections is cut after the listed number of answers. */
  cutNextAfter(...answers: readonly number[]): void;
  /** Delays every answer by this time. */
  delay(ms: number): void;
  /** While this is on, every connection is refused. */
  refuse(refused: boolean): void;
  /** How many connections were cut as listed. */
  cuts(): number;
};

export async function openCuttingProxy(): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  const state = { delayMs: 0, refused: false, cuts: 0, next: [] as number[], target: { host: '', port: 0 } };
  const server = createServer((caller) => {
    if (state.refused) return void caller.destroy();
    const limit = state.next.shift() ?? Number.POSITIVE_INFINITY;
    const database = connect(state.target.port, state.target.host);
    const end = () => {
      open.delete(caller);
      caller.destroy();
      database.destroy();
    };
    open.add(caller);
    for (const socket of [caller, database]) socket.on('error', end).on('close', end).setNoDelay(true);
    caller.on('data', (chunk) => database.write(chunk));
    if (limit === 0) {
      state.cuts += 1;
      return end();
    }
    let answers = 0;
    let before = Promise.resolve();
    database.on('data', (chunk) => {
      answers += 1;
      const isLast = answers >= limit;
      before = before.then(async () => {
        if (state.delayMs > 0) await pause(state.delayMs);
        if (!isLast) return void caller.write(chunk);
        state.cuts += 1;
        end();
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const socket of [...open]) socket.destroy();
  };
  return {
    through(url) {
      const address = new URL(url);
      state.target = { host: address.hostname, port: Number(address.port) };
      address.port = String((server.address() as AddressInfo).port);
      address.hostname = '127.0.0.1';
      return address.href;
    },
    cut,
    cutNextAfter: (...answers) => void state.next.splice(0, Number.POSITIVE_INFINITY, ...answers),
    delay(ms) {
      state.delayMs = ms;
    },
    refuse(refused) {
      state.refused = refused;
    },
    cuts: () => state.cuts,
    async [Symbol.asyncDispose]() {
      state.refused = true;
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
