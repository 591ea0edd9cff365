import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = { headers: Record<string, string>; body: string };

/** The receiver of a webhook. `answer` is the status of the next answers; 0 cuts the connection without one. */
export async function openReceiver(port = 0) {
  const deliveries: Received[] = [];
  let tries = 0;
  let answer: (received: Received) => number = () => 204;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      tries += 1;
      const received = { headers: request.headers as Record<string, string>, body };
      const status = answer(received);
      if (status >= 200 && status < 300) deliveries.push(received);
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:9/' } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: number } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${number}/hook`,
    /** The deliveries that were answered with 2xx. */
    deliveries,
    tries: () => tries,
    answers(status: number | ((received: Received) => number)) {
      answer = typeof status === 'number' ? () => status : status;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body
export const bodiesOf = (deliveries: readonly Received[]): any[] => deliveries.map(({ body }) => JSON.parse(body));
