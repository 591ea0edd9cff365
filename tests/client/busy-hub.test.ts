import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { connect } from '../../packages/service/src/client/index.ts';
import { start } from '../start.ts';

type Asked = { id?: number; method: string };

/** A socket to a service that answers each subscription with 429 while the test says so. */
async function openBusy(to: string) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const busy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isBusy: false,
    refused: 0,
    cut() {
      for (const client of server.clients) client.terminate();
    },
    async [Symbol.asyncDispose]() {
      busy.cut();
      await new Promise((closed) => server.close(closed));
    },
  };
  server.on('connection', async (near) => {
    const far = new WebSocket(`${to.replace('http', 'ws')}/api/socket`);
    const opened = once(far, 'open');
    near.on('close', () => far.terminate());
    far.on('message', (data) => near.send(String(data)));
    near.on('message', async (data) => {
      const asked: Asked[] = [JSON.parse(String(data))].flat();
      const isRefused = ({ method }: Asked) => busy.isBusy && method === 'subscribe';
      for (const { id } of asked.filter(isRefused)) {
        busy.refused += 1;
        const problem = { status: 429, code: 'too_many_requests', detail: 'Answers on this socket wait to be read.' };
        near.send(
          JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: problem.detail, data: problem } }),
        );
      }
      const passed = asked.filter((one) => !isRefused(one));
      await opened;
      for (const one of passed) far.send(JSON.stringify(one));
    });
  });
  return busy;
}

/** Runs it while subscriptions are refused, until one was. */
async function whileBusy(busy: Awaited<ReturnType<typeof openBusy>>, begin: () => void): Promise<void> {
  busy.isBusy = true;
  const before = busy.refused;
  begin();
  await expect.poll(() => busy.refused).toBeGreaterThan(before);
  busy.isBusy = false;
}

test('a listener that the service has no room for now hears messages once it has, also after a cut', async () => {
  await using service = await start();
  await using busy = await openBusy(service.url);
  using box = connect({ url: busy.url });
  await box.call('list_plans', {});
  const heard: string[] = [];
  let ready = Promise.resolve();
  await whileBusy(busy, () => {
    ({ ready } = box.on('plan_changed', ({ slug }) => heard.push(slug)));
  });
  await ready;
  await service.call('POST', '/api/plans', { plan: 'first', nodes: [] });
  await expect.poll(() => heard).toContain('first');

  await whileBusy(busy, () => busy.cut());
  await service.call('POST', '/api/plans', { plan: 'second', nodes: [] });
  await expect.poll(() => heard).toContain('second');
});

test('an idle worker whose subscription is refused for the moment goes on', async () => {
  await using service = await start();
  await using busy = await openBusy(service.url);
  using box = connect({ url: busy.url });
  await box.call('list_plans', {});
  const taken: string[] = [];
  let done: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();
  await whileBusy(busy, () => {
    const options = { agent: 'ada', signals: false, signal: stopping.signal };
    ({ done } = box.work(options, ({ node }) => taken.push(node.ref)));
  });
  await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'a', binding: { kind: 'signOff' } }] });
  await Promise.race([done, expect.poll(() => taken).toEqual(['shop/a'])]);
  stopping.abort();
  await done;
});
