import { connect, type Socket } from 'node:net';

const asks = {
  events: 'GET /api/messages HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n',
  sockets:
    'GET /api/messages HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
};
export type Way = keyof typeof asks;

/** Clients that only read the time in each message, so that the server is measured. */
export class Clients {
  readonly #sockets: Socket[] = [];
  #latencies: number[] = [];
  #heard: () => void = () => undefined;

  async add(port: number, way: Way, many: number): Promise<void> {
    for (let left = many; left > 0; left -= 50) {
      await Promise.all(Array.from({ length: Math.min(50, left) }, () => this.#one(port, way)));
    }
  }

  async #one(port: number, way: Way): Promise<void> {
    const socket = connect(port, '127.0.0.1', () => socket.write(asks[way]));
    this.#sockets.push(socket);
    await new Promise((resolve) => socket.once('data', resolve));
    let rest = '';
    socket.on('data', (chunk) => {
      const now = process.hrtime.bigint();
      const text = rest + chunk.toString('latin1');
      let from = 0;
      for (let at = text.indexOf('"at":"'); at >= 0; at = text.indexOf('"at":"', from)) {
        const end = text.indexOf('"', at + 6);
        if (end < 0) break;
        this.#latencies.push(Number(now - BigInt(text.slice(at + 6, end))) / 1e6);
        from = end;
      }
      rest = text.slice(Math.max(from, text.length - 40));
      this.#heard();
    });
  }

  /** Milliseconds from sending to receiving, once enough messages were received. */
  async hear(many: number, say: () => void): Promise<number[]> {
    this.#latencies = [];
    await new Promise<void>((resolve) => {
      this.#heard = () => this.#latencies.length >= many && resolve();
      say();
    });
    return this.#latencies;
  }

  close(): void {
    for (const socket of this.#sockets.splice(0)) socket.destroy();
  }
}

/** Subscribes, and stops reading after the first bytes. */
export async function stuck(port: number, way: Way): Promise<Socket> {
  const socket = connect(port, '127.0.0.1', () => socket.write(asks[way]));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('data', resolve));
  return socket.pause();
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
