import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createWebhook } from '../../packages/service/src/coordination/notify/io/webhook.ts';
import { createAgentHome } from '../agents/agent-home.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

type Delivery = { headers: Record<string, unknown>; body: string };

/** A webhook's other end, which answers with these statuses in turn and then with 204. */
async function openReceiver(...statuses: number[]) {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      deliveries.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, deliveries, [Symbol.asyncDispose]: close };
}

const notification = {
  type: 'run_failed',
  subject: 'r-1',
  text: 'shop failed.',
  at: '2026-11-15T10:00:00.000Z',
} as const;

verifies('config:notify', 'a failed run is posted to the address of Service:Notify, signed', async () => {
  await using receiver = await openReceiver();
  await using service = await start({ settings: { Notify: receiver.url, NotifySecret: 'secret' } });
  const runId = 'failed-1';
  const events = [
    { type: 'run_started', runId, suite: 'shop' },
    { type: 'scenario_finished', runId, uid: 'Cart/adds', outcome: 'Failed', attempts: 1 },
    { type: 'run_finished', runId, exitCode: 1, passed: 0, failed: 1 },
  ];
  await service.console('POST', '/api/ingest', { events });
  service.clock.advance(100);
  await service.clock.tick();
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.deliveries;
  expect(JSON.parse(body)).toMatchObject({ type: 'run_failed', subject: runId, text: expect.stringContaining('shop') });
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-signalbox-signature'])) ?? [];
  expect(createHmac('sha256', 'secret').update(`${seconds}.${body}`).digest('hex')).toBe(signature);
});

test('an address that fails is tried again; one that refuses is not', async () => {
  await using receiver = await openReceiver(500, 503, 204, 400);
  const warnings: string[] = [];
  const webhook = createWebhook({
    url: receiver.url,
    secret: undefined,
    host: 'vm',
    warn: (text) => warnings.push(text),
    retryMs: [1, 1],
  });
  webhook.send(notification);
  webhook.send(notification);
  await expect.poll(() => receiver.deliveries.length).toBe(4);
  await expect.poll(() => warnings).toHaveLength(1);
  webhook.stop();
});

test('an endpoint that speaks like Slack gets a text', async () => {
  await using receiver = await openReceiver();
  const webhook = createWebhook({ url: `${receiver.url}/slack`, secret: undefined, host: 'vm', warn: () => undefined });
  webhook.send(notification);
  await expect.poll(() => receiver.deliveries.map(({ body }) => body)).toEqual(['{"text":"shop failed."}']);
  webhook.stop();
});

test('an address with a name and a secret in it is called with both as a login', async () => {
  await using receiver = await openReceiver();
  const url = receiver.url.replace('//', '//ada:p%40ss@');
  const webhook = createWebhook({ url, secret: undefined, host: 'vm', warn: () => undefined });
  webhook.send(notification);
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  expect(receiver.deliveries[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ada:p@ss').toString('base64')}`);
  webhook.stop();
});

test('of a contested tree the living sessions are told, not those that once worked there', async () => {
  await using receiver = await openReceiver();
  await using scene = await createAgentHome();
  const shop = await scene.repository('shop', 'acme/shop');
  const [gone, one, two] = [await scene.session(1, shop), await scene.session(2, shop), await scene.session(3, shop)];
  await gone.appendRecord({ timestamp: '2020-01-01T00:00:00.000Z' });
  await one.reportStatus('busy');
  await using service = await start({ settings: { Notify: receiver.url, SessionsPath: scene.config } });
  const told = async () => {
    service.clock.advance(2_000);
    await service.clock.tick();
    return receiver.deliveries.map(({ body }) => JSON.parse(body).text);
  };
  expect(await told()).toEqual([]);
  await two.reportStatus('busy');
  await expect.poll(told).toEqual([`2 live sessions work in ${shop}.`]);
});

test('a node that nothing blocks any more is told by its own name, though the plan had a ready node before', async () => {
  await using receiver = await openReceiver();
  await using service = await start({ settings: { Notify: receiver.url } });
  const nodes = [{ id: 'tests', binding: { kind: 'signOff' } }, { id: 'docs' }, { id: 'ship', dependsOn: ['tests'] }];
  await service.call('POST', '/api/plans', { plan: 'rel', title: 'Release', nodes });
  const told = async () => {
    service.clock.advance(2_000);
    await service.clock.tick();
    return receiver.deliveries.map(({ body }) => JSON.parse(body)).map(({ subject, text }) => [subject, text]);
  };
  expect(await told()).toEqual([]);
  await service.call('POST', '/api/plans/rel/nodes/tests/sign-off?by=eve', {});
  await expect.poll(told).toEqual([['rel/ship', 'rel/ship is ready: nothing blocks it any more.']]);
});

test('what had not been taken when the service stops is told', async () => {
  await using receiver = await openReceiver(500);
  const warnings: string[] = [];
  const webhook = createWebhook({
    url: receiver.url,
    secret: undefined,
    host: 'vm',
    warn: (text) => warnings.push(text),
  });
  webhook.send(notification);
  webhook.send(notification);
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  webhook.stop();
  expect(warnings).toEqual(['notifications not delivered before the service stopped: 2']);
});
