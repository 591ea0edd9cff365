import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A gateway without WebSockets that answers with a page of its own while the service is away. */
export async function openGateway(to: string) {
  const gateway = { url: '', status: 0, refused: 0 };
  const server = createServer((asked, answer) => {
    if (gateway.status > 0) {
      gateway.refused += 1;
      return answer.writeHead(gateway.status, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    }
    const { method = 'GET', headers } = asked;
    const passed = request(`${to}${asked.url}`, { method, headers: { ...headers, host: new URL(to).host } }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers).flushHeaders();
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  server.on('upgrade', (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  gateway.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(gateway, {
    cut: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
