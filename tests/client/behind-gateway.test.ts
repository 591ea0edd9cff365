import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { connect } from '../../packages/service/src/client/index.ts';
import { start } from '../start.ts';
import { longWaits } from './long-waits.ts';

/** A gateway without WebSockets that answers with a page of its own while the service is away. */
async function openGateway(to: string) {
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
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

test.each([502, 503, 504])('a call waits while a gateway answers %i for the service', async (status) => {
  await using service = await start();
  await using gateway = await openGateway(service.url);
  gateway.status = status;
  using box = connect({ url: gateway.url, socket: false });
  const plans = box.call('list_plans', {});
  await expect.poll(() => gateway.refused).toBeGreaterThan(0);
  gateway.status = 0;
  expect(await plans).toEqual([]);
});

test('a worker goes on after a gateway answered for the service for longer than a call waits', async () => {
  await using service = await start();
  await using gateway = await openGateway(service.url);
  const waits = longWaits();
  using box = connect({ url: gateway.url, socket: false, retryMs: 0, later: waits.later });
  const taken: string[] = [];
  gateway.status = 502;
  const worker = box.work({ agent: 'ada', signals: false }, ({ node }) => taken.push(node.ref));
  const ended = worker.done.catch((fault: unknown) => fault);
  await Promise.race([ended, expect.poll(() => waits.waits()).toContain(5_000)]);
  gateway.status = 0;
  await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'a', binding: { kind: 'signOff' } }] });
  waits.pass(5_000);
  await expect.poll(() => taken).toEqual(['shop/a']);
  await worker.stop();
  expect(await ended).toBeUndefined();
});
