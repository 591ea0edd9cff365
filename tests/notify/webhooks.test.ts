import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { wholeRun } from '../hosts/whole-run.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { cli, signalbox } from '../spawn.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { bodiesOf, openReceiver } from './receiver.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const minute = 60_000;

const hooks = (...list: object[]) => ({ Webhooks: JSON.stringify(list) });

async function later({ clock }: Started, ms = 1_000): Promise<void> {
  clock.advance(ms);
  await clock.tick();
}

/** A chain of nodes that people sign off. */
const chain = (length: number) =>
  Array.from({ length }, (_, at) => ({
    id: `n${at}`,
    binding: { kind: 'signOff' },
    dependsOn: at === 0 ? [] : [`n${at - 1}`],
  }));

const signOff = (service: Started, plan: string, node: string) =>
  service.call('POST', `/api/plans/${plan}/nodes/${node}/sign-off?by=eve`, {});

verifies(
  'config:webhooks',
  'a receiver that is away for an hour gets everything once, in order for each node',
  async () => {
    await using receiver = await openReceiver();
    await using service = await start({ settings: hooks({ url: receiver.url, secret }) });
    receiver.answers(0);
    await service.call('POST', '/api/plans', { plan: 'rel', nodes: chain(5) });
    for (let node = 0; node < 5; node += 1) {
      await service.call('POST', `/api/plans/rel/nodes/n${node}/claim`, { agent: 'ada' });
      await service.call('POST', `/api/plans/rel/nodes/n${node}/release`, { agent: 'ada', outcome: 'submitted' });
      await signOff(service, 'rel', `n${node}`);
    }
    for (let passed = 0; passed < 60; passed += 1) await later(service, minute);
    expect(receiver.deliveries).toEqual([]);
    expect(receiver.tries()).toBeLessThan(10);
    expect((await service.call('GET', '/api/webhooks')).body).toMatchObject([
      { state: 'failing', waiting: 21, delivered: 0, lastStatus: null, lastError: expect.any(String) },
    ]);
    receiver.answers(204);
    const arrived = async () => {
      await later(service, minute);
      return receiver.deliveries.length;
    };
    await expect.poll(arrived).toBe(21);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const events = receiver.deliveries.map(({ headers, body }) => {
      vi.setSystemTime(Number(headers['webhook-timestamp']) * 1_000);
      return new Webhook(secret).verify(body, headers);
    }) as {
      id: string;
      type: string;
      subject: string;
    }[];
    expect(new Set(events.map(({ id }) => id)).size).toBe(21);
    for (let node = 0; node < 5; node += 1)
      expect(events.filter(({ subject }) => subject === `rel/n${node}`).map(({ type }) => type)).toEqual([
        'node_ready',
        'node_claimed',
        'node_submitted',
        'node_done',
      ]);
    expect(events.filter(({ type }) => type === 'plan_done')).toMatchObject([{ subject: 'rel' }]);
    for (let more = 0; more < 5; more += 1) await later(service, 30 * minute);
    expect(receiver.deliveries).toHaveLength(21);
  },
);

test('a delivery is a CloudEvent that a stock verifier accepts, and rejects with another secret or body', async () => {
  await using receiver = await openReceiver();
  const clock = createSettableClock(Date.now());
  await using service = await start({
    clock,
    settings: hooks({ url: receiver.url, secret, events: ['node_claimed'] }),
  });
  await service.call('POST', '/api/plans', { plan: 'rel', nodes: [{ id: 'a', title: 'First' }] });
  await service.call('POST', '/api/plans/rel/nodes/a/claim', { agent: 'ada' });
  await service.call('POST', '/api/plans/rel/nodes/a/claim', { agent: 'ada' });
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.deliveries;
  expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
  const event = new Webhook(secret).verify(body, headers);
  expect(event).toEqual({
    specversion: '1.0',
    id: headers['webhook-id'],
    source: expect.stringMatching(/^\/signalbox\//),
    type: 'node_claimed',
    subject: 'rel/a',
    time: expect.any(String),
    datacontenttype: 'application/json',
    data: expect.objectContaining({ plan: 'rel', node: 'a', title: 'First', agent: 'ada', text: 'ada claimed rel/a.' }),
  });
  const other = new Webhook(`whsec_${Buffer.alloc(32, 8).toString('base64')}`);
  expect(() => other.verify(body, headers)).toThrow(/signature/i);
  expect(() => new Webhook(secret).verify(body.replace('ada', 'eve'), headers)).toThrow(/signature/i);
});

test('every node of a quick plan is announced, though several are done between two looks, to Service:Notify too', async () => {
  await using receiver = await openReceiver();
  await using notified = await openReceiver();
  await using service = await start({
    settings: { ...hooks({ url: receiver.url, events: ['node_ready', 'plan_done'] }), Notify: notified.url },
  });
  await service.call('POST', '/api/plans', { plan: 'quick', nodes: chain(8) });
  for (let node = 0; node < 8; node += 1) await signOff(service, 'quick', `n${node}`);
  await expect.poll(() => receiver.deliveries.length).toBe(9);
  expect(bodiesOf(receiver.deliveries).map(({ subject }) => subject)).toEqual([
    ...Array.from({ length: 8 }, (_, node) => `quick/n${node}`),
    'quick',
  ]);
  await expect.poll(() => notified.deliveries.length).toBe(7);
  expect(bodiesOf(notified.deliveries).map(({ type, subject }) => [type, subject])).toEqual(
    Array.from({ length: 7 }, (_, node) => ['node_unblocked', `quick/n${node + 1}`]),
  );
});

test('failed and parked nodes are notified, and a released one is ready', async () => {
  await using receiver = await openReceiver();
  const events = ['node_ready', 'node_failed', 'node_parked', 'run_failed', 'run_recovered', 'test_flaky'];
  await using service = await start({ settings: hooks({ url: receiver.url, events }) });
  const nodes = [
    { id: 'a', maxAttempts: 2 },
    { id: 'b', binding: { kind: 'suite', suite: 'shop' } },
  ];
  await service.call('POST', '/api/plans', { plan: 'rel', nodes });
  for (const agent of ['ada', 'bob']) {
    await service.call('POST', '/api/plans/rel/nodes/a/claim', { agent });
    await service.call('POST', '/api/plans/rel/nodes/a/release', { agent, outcome: 'failed' });
  }
  const told = () => bodiesOf(receiver.deliveries).map(({ type, subject }) => `${type} ${subject}`);
  await expect
    .poll(told)
    .toEqual(['node_ready rel/a', 'node_ready rel/b', 'node_ready rel/a', 'node_ready rel/a', 'node_parked rel/a']);
  receiver.deliveries.length = 0;
  const publish = async (runId: string, outcome: string) => {
    const attempts = outcome === 'PassOnRetry' ? 2 : 1;
    const events = wholeRun(runId, 'Cart/total', outcome).map((event) =>
      'attempts' in event
        ? { ...event, attempts }
        : 'passedOnRetry' in event
          ? { ...event, passedOnRetry: attempts - 1 }
          : event,
    );
    await service.console('POST', '/api/ingest', { events });
    await later(service);
  };
  const toldLater = async () => {
    await later(service);
    return new Set(told());
  };
  await publish('r1', 'Failed');
  await expect.poll(toldLater).toEqual(new Set(['run_failed r1']));
  await publish('r2', 'PassOnRetry');
  await expect.poll(toldLater).toEqual(new Set(['run_failed r1', 'run_recovered r2', 'test_flaky r2']));
  await publish('r3', 'PassOnRetry');
  await publish('r4', 'Failed');
  await expect
    .poll(toldLater)
    .toEqual(new Set(['run_failed r1', 'run_recovered r2', 'test_flaky r2', 'run_failed r4']));
});

test('a restart sends due deliveries immediately, and events committed before a kill are derived from the log again', async () => {
  await using receiver = await openReceiver();
  const home = mkdtempSync(join(tmpdir(), 'signalbox-webhooks-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = {
    HOME: home,
    PORT: '0,0',
    PATH: process.env.PATH,
    Service__Webhooks: JSON.stringify([{ url: receiver.url, secret, events: ['node_done'] }]),
    Service__DataPath: join(home, 'data'),
  };
  const begin = async () => {
    const child = spawn(process.execPath, [cli, 'start'], { env, cwd: home });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (out += piece));
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => out).toMatch(/reference/);
    const [, url = ''] = /coordination +(\S+)/.exec(out) ?? [];
    const call = (path: string, body: object) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    return { child, call, ended: new Promise((resolve) => child.once('close', resolve)) };
  };
  receiver.answers(503);
  const first = await begin();
  await first.call('/api/plans', { plan: 'rel', nodes: chain(20) });
  for (let node = 0; node < 20; node += 1) await first.call(`/api/plans/rel/nodes/n${node}/sign-off?by=eve`, {});
  first.child.kill('SIGKILL');
  await first.ended;
  receiver.answers(204);
  await begin();
  await expect.poll(() => receiver.deliveries.length).toBe(20);
  expect(
    bodiesOf(receiver.deliveries)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(
    chain(20)
      .map(({ id }) => `rel/${id}`)
      .sort(),
  );
});

test('one event that is refused holds up no other node, and a redirect is not followed', async () => {
  await using receiver = await openReceiver();
  await using service = await start({ settings: hooks({ url: receiver.url, events: ['node_done'] }) });
  receiver.answers(({ body }) => (JSON.parse(body).subject === 'rel/n0' ? 302 : 200));
  const nodes = chain(4).map((node) => ({ ...node, dependsOn: [] }));
  await service.call('POST', '/api/plans', { plan: 'rel', nodes });
  for (const { id } of nodes) await signOff(service, 'rel', id);
  const arrived = async () => {
    await later(service, minute);
    return bodiesOf(receiver.deliveries).map(({ subject }) => subject);
  };
  await expect.poll(arrived).toEqual(['rel/n1', 'rel/n2', 'rel/n3']);
  const { body } = await service.call('GET', '/api/webhooks/deliveries?state=waiting');
  expect(body).toMatchObject([{ subject: 'rel/n0', lastStatus: 302, lastError: 'answered 302' }]);
});

test('deliveries are listed and sent again on demand; those given up after a day are shown as failed', async () => {
  await using receiver = await openReceiver();
  await using service = await start({ settings: hooks({ url: receiver.url, name: 'ci', events: ['node_done'] }) });
  receiver.answers(500);
  await service.call('POST', '/api/plans', { plan: 'rel', nodes: chain(1) });
  await signOff(service, 'rel', 'n0');
  const state = async () => {
    await later(service, 30 * minute);
    const { body } = await service.call('GET', '/api/webhooks/deliveries');
    return body[0]?.state;
  };
  await expect.poll(state).toBe('failed');
  receiver.answers(200);
  const [{ number, id }] = (await service.call('GET', '/api/webhooks/deliveries?state=failed')).body;
  expect((await service.call('POST', `/api/webhooks/deliveries/${number}/redeliver`)).status).toBe(200);
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  expect(receiver.deliveries[0]?.headers['webhook-id']).toBe(id);
  expect((await service.call('POST', '/api/webhooks/deliveries/999/redeliver')).status).toBe(404);
});

test('slack and discord get one text, in which nothing that others wrote is markup', async () => {
  await using receiver = await openReceiver();
  await using service = await start({
    settings: hooks(
      { url: `${receiver.url}/token-in-path`, format: 'slack', events: ['node_submitted'], name: 'slack' },
      { url: `${receiver.url}/token-in-path`, format: 'discord', events: ['node_submitted'], name: 'discord' },
    ),
  });
  await service.call('POST', '/api/plans', { plan: 'rel', nodes: [{ id: 'a' }] });
  await service.call('POST', '/api/plans/rel/nodes/a/claim', { agent: 'ada' });
  const note = 'see <!channel> & @everyone';
  await service.call('POST', '/api/plans/rel/nodes/a/release', { agent: 'ada', outcome: 'submitted', note });
  await expect.poll(() => receiver.deliveries.length).toBe(2);
  expect(bodiesOf(receiver.deliveries)).toEqual(
    expect.arrayContaining([
      { text: 'ada submitted rel/a: see &lt;!channel&gt; &amp; @everyone' },
      { content: 'ada submitted rel/a: see <!channel> & @everyone', allowed_mentions: { parse: [] } },
    ]),
  );
  const { text } = await service.call('GET', '/api/webhooks');
  expect(text).not.toContain('token-in-path');
});

test('secrets and logins are in no answer and in no log, and a wrong setting ends the start without repeating one', async () => {
  await using receiver = await openReceiver();
  receiver.answers(401);
  const url = receiver.url.replace('//', '//ada:hunter2@');
  await using service = await start({ settings: hooks({ url, secret }) });
  await service.call('POST', '/api/plans', { plan: 'rel', nodes: [{ id: 'a' }] });
  await expect.poll(receiver.tries).toBeGreaterThan(0);
  await expect.poll(service.logged).toContain('a webhook rejected an event');
  const shown = [await service.call('GET', '/api/webhooks'), await service.call('GET', '/api/webhooks/deliveries')];
  const told = shown.map(({ text }) => text).join() + service.logged();
  expect(told).not.toMatch(/hunter2|whsec_/);
  for (const [written, why] of [
    ['[{"url":"ftp://x"}]', /0\.url: must be an http/],
    ['[{"url":"http://x","secret":"whsec_short"}]', /0\.secret: must be whsec_/],
    ['[{"url":"http://x","events":["node_dome"]}]', /did you mean node_done/],
    ['[{"url":"http://x"},{"url":"http://x"}]', /twice/],
    ['/nowhere/hooks.json', /cannot be read \(ENOENT\)/],
  ] as const)
    await expect(start({ settings: { Webhooks: written } })).rejects.toThrow(why);
});

test('the command line lists receivers and tests them, from a file of receivers', async () => {
  await using receiver = await openReceiver();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-webhooks-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const Webhooks = join(folder, 'hooks.json');
  writeFileSync(Webhooks, JSON.stringify([{ url: receiver.url, name: 'ci', secret }]));
  await using service = await start({ settings: { Webhooks } });
  const env = { PORT: String(service.running.coordination.port), Service__DataPath: service.dataPath };
  await using tested = signalbox(['webhooks', 'test'], env, service.home);
  expect([await tested.ended, tested.out()]).toEqual([0, expect.stringMatching(/ci +accepted \(204\)/)]);
  expect(bodiesOf(receiver.deliveries)).toMatchObject([{ type: 'test' }]);
  receiver.answers(500);
  await using refused = signalbox(['webhooks', 'test', 'ci'], env, service.home);
  expect([await refused.ended, refused.out()]).toEqual([1, expect.stringMatching(/ci +not accepted: answered 500/)]);
  await using list = signalbox(['webhooks'], env, service.home);
  expect([await list.ended, list.out()]).toEqual([
    0,
    expect.stringMatching(/NAME[\s\S]*ci +cloudevents +all +yes +unused/),
  ]);
});

test('what happens while an earlier event is being queued in the database is sent too', async () => {
  await using receiver = await openReceiver();
  const settings = { Store: await cloneDatabase(), ...hooks({ url: receiver.url, events: ['node_done'] }) };
  await using service = await start({ clock: systemClock, settings });
  const plans = Array.from({ length: 8 }, (_, at) => `rel-${at}`);
  const signOffAll = async (plan: string) => {
    await service.call('POST', '/api/plans', { plan, nodes: chain(10) });
    for (const { id } of chain(10)) expect((await signOff(service, plan, id)).status).toBe(200);
  };
  await Promise.all(plans.map(signOffAll));
  await expect.poll(() => receiver.deliveries.length).toBe(80);
});

test('of two hosts on one database one sends, each event once, and the other goes on when it stops', async () => {
  await using receiver = await openReceiver();
  const Store = await cloneDatabase();
  // Hosts use their own clock to decide whether the database answers; a clock moved by hand would make it seem silent.
  const clock = systemClock;
  const settings = { Store, ...hooks({ url: receiver.url, events: ['node_done', 'run_failed'] }) };
  const one = await start({ clock, settings: { ...settings, HostName: 'one' } });
  await using two = await start({ clock, settings: { ...settings, HostName: 'two' } });
  await one.call('POST', '/api/plans', { plan: 'rel', nodes: chain(6) });
  // A slow database is answered with 503: try again.
  const signedOff = (host: Started, node: number) =>
    expect.poll(async () => (await signOff(host, 'rel', `n${node}`)).status).toBe(200);
  for (let node = 0; node < 3; node += 1) await signedOff(node % 2 === 0 ? one : two, node);
  await one.console('POST', '/api/ingest', { events: wholeRun('r1', 'Cart/total', 'Failed') });
  const arrived = () => bodiesOf(receiver.deliveries).map(({ subject }) => subject);
  await expect.poll(arrived).toEqual(expect.arrayContaining(['rel/n0', 'rel/n1', 'rel/n2', 'r1']));
  const sends = async (host: Started) => (await host.call('GET', '/api/webhooks')).body[0].sendsHere;
  expect([await sends(one), await sends(two)].filter(Boolean)).toHaveLength(1);
  await one.stop();
  onTestFinished(() => rmSync(one.home, { recursive: true, force: true }));
  for (let node = 3; node < 6; node += 1) await signedOff(two, node);
  await expect.poll(arrived).toContain('rel/n5');
  const subjects = arrived();
  expect(subjects).toHaveLength(new Set(subjects).size);
  expect(subjects.filter((subject) => subject.startsWith('rel/'))).toEqual(chain(6).map(({ id }) => `rel/${id}`));
});
