import type { AddressInfo } from 'node:net';
import { createServer, connect as dial, type Socket } from 'node:net';

/** A connection between a client and a service that can be cut, redirected and muted. */
export type Proxy = AsyncDisposable & {
  url: string;
  /** The target of new connections. */
  target: string;
  /** True refuses WebSockets. */
  blocksSockets: boolean;
  /** True passes nothing on to the client: its requests are executed, and the answers are lost. */
  losesAnswers: boolean;
  /** Bytes that clients sent so far. */
  sent: number;
  /** The number of claims requested over REST so far, answered or not. */
  restClaims: number;
  cut(): void;
};

export async function openProxy(target: string): Promise<Proxy> {
  const lines = new Set<Socket>();
  const server = createServer((client) => {
    const service = dial(Number(new URL(proxy.target).port), '127.0.0.1');
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      lines.add(one);
      one
        .on('error', () => undefined)
        .once('close', () => {
          lines.delete(one);
          other.destroy();
        });
    }
    client.on('data', (data) => {
      proxy.sent += data.length;
      if (String(data).startsWith('POST /api/plans/ready/claim')) proxy.restClaims += 1;
      if (proxy.blocksSockets && /^upgrade: websocket/im.test(String(data))) client.destroy();
      else service.write(data);
    });
    service.on('data', (data) => {
      if (!proxy.losesAnswers) client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    target,
    blocksSockets: false,
    losesAnswers: false,
    sent: 0,
    restClaims: 0,
    cut() {
      for (const line of lines) line.destroy();
    },
    async [Symbol.asyncDispose]() {
      proxy.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
