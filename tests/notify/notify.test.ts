import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAgentHome } from '../agents/agent-home.ts';
import { wholeRun } from '../hosts/whole-run.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { openReceiver } from './receiver.ts';

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

const failRun = (service: Started, runId: string) =>
  service.console('POST', '/api/ingest', { events: wholeRun(runId, 'Cart/total', 'Failed') });

async function later({ clock }: Started): Promise<void> {
  clock.advance(60_000);
  await clock.tick();
}

test('an address that fails is tried again, and one that is gone is not', async () => {
  await using receiver = await openReceiver();
  await using service = await start({ settings: { Notify: receiver.url } });
  receiver.answers(({ body }) => (JSON.parse(body).subject === 'r2' ? 410 : receiver.tries() < 3 ? 500 : 204));
  await failRun(service, 'r1');
  const subjects = async () => {
    await later(service);
    return receiver.deliveries.map(({ body }) => JSON.parse(body).subject);
  };
  await expect.poll(subjects).toEqual(['r1']);
  await failRun(service, 'r2');
  const states = async () => {
    await later(service);
    return (await service.call('GET', '/api/webhooks/deliveries')).body.map(({ state }: { state: string }) => state);
  };
  await expect.poll(states).toEqual(['failed', 'delivered']);
});

test('an endpoint that speaks like Slack gets a text', async () => {
  await using receiver = await openReceiver();
  await using service = await start({ settings: { Notify: `${receiver.url}/slack` } });
  await failRun(service, 'r1');
  await later(service);
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  expect(receiver.deliveries[0]?.body).toMatch(/^\{"text":"unit failed: [^"]*"\}$/);
});

test('an address with a name and a secret in it is called with both as a login', async () => {
  await using receiver = await openReceiver();
  await using service = await start({ settings: { Notify: receiver.url.replace('//', '//ada:p%40ss@') } });
  await failRun(service, 'r1');
  await later(service);
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  expect(receiver.deliveries[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ada:p@ss').toString('base64')}`);
});

test('a contested tree lists its live sessions, not earlier ones', async () => {
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

test('a newly unblocked node is named, even if the plan already had a ready node', async () => {
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
