import { expect, test } from 'vitest';
import { readMessage } from '../../packages/service/src/kernel/messages.ts';
import { runSample } from '../samples.ts';
import { caller, type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { announce } from './announcing.ts';
import { viaEvents, viaSignalr, viaSocket } from './clients.ts';

const plan = (slug: string) => ({
  plan: slug,
  title: slug,
  nodes: [
    { id: 'lexer', title: 'Lexer' },
    { id: 'parser', title: 'Parser', dependsOn: ['lexer'] },
  ],
});

const lexer = '/api/plans/checkout/nodes/lexer';

/** One round of all changes: plans, claims, agents, repositories, runs and the event model. */
async function work(service: Started, round: number): Promise<void> {
  const { call, clock } = service;
  const note = { agent: 'ada', note: `round ${round}` };
  expect((await call('POST', `${lexer}/claim`, { agent: 'ada' })).status).toBe(200);
  announce(service, { type: 'agents_changed', data: { sessions: [`s${round}`], trees: ['/home/ada/shop'] } });
  expect((await call('POST', `${lexer}/report`, note)).status).toBe(200);
  clock.advance(60_000);
  announce(service, {
    type: 'run_events',
    data: { runId: 'r1', events: [{ type: 'log', text: 'ünïcödé \u2028 "quoted"' }] },
  });
  announce(service, { type: 'run_changed', data: { run: runSample({ runId: 'r1', state: 'running' }) } });
  announce(service, { type: 'repository_changed', data: { owner: 'acme', name: 'shop' } });
  announce(service, { type: 'event_model_changed', data: { name: 'Wallets' } });
  expect((await call('POST', `${lexer}/release`, { agent: 'ada' })).status).toBe(200);
  announce(service, { type: 'run_ejected', data: { runIds: ['r0'] } });
}

verifies(
  [
    'hub:on-coordination',
    'hub:three-ways-same-messages',
    'hub:sse',
    'hub:websocket',
    'hub:signalr',
    'hub:signalr-starts-with-reset',
    'hub:cloud-events',
    'hub:id-grows',
    'hub:source',
    'hub:subject',
  ],
  'an EventSource, a WebSocket and the stock SignalR client hear the same of an hour of work, in the same order',
  async () => {
    await using service = await start({ settings: { HostName: 'box one' } });
    await using events = await viaEvents(service);
    await using socket = await viaSocket(service);
    await using signalr = await viaSignalr(service);
    await service.call('POST', '/api/plans', plan('checkout'));
    for (let round = 1; round <= 60; round += 1) await work(service, round);
    announce(service, { type: 'agents_changed', data: { sessions: ['last'], trees: [] } });

    const isLast = ({ data }: { data: { sessions?: string[] } }) => data.sessions?.[0] === 'last';
    for (const client of [events, socket, signalr]) await client.untilOne(isLast);
    const [reset, ...told] = signalr.heard;
    expect(reset).toMatchObject({ type: 'reset', data: {} });
    expect(told.length).toBeGreaterThan(60 * 9);
    expect(events.heard).toEqual(told);
    expect(socket.heard).toEqual(told);

    const ids = told.map(({ id }) => Number(id));
    expect(ids).toEqual(ids.map((_, index) => Number(reset?.id) + 1 + index));
    for (const message of told) {
      expect(message).toMatchObject({ specversion: '1.0', source: '/signalbox/box%20one' });
      expect(message.id).toMatch(/^\d+$/);
      expect(readMessage(message)).toEqual({ type: message.type, data: message.data });
    }
    const subjects = new Map(told.map(({ type, subject }) => [type, subject]));
    expect(Object.fromEntries(subjects)).toEqual({
      plan_changed: 'checkout',
      claim_changed: 'checkout/lexer',
      agents_changed: undefined,
      repository_changed: 'acme/shop',
      run_events: 'r1',
      run_changed: 'r1',
      event_model_changed: 'Wallets',
      run_ejected: undefined,
    });
  },
);

verifies(
  ['hub:plan-changed', 'hub:plan-changed-by-evidence', 'hub:plan-changed-across-plans', 'hub:claim-changed'],
  'a change tells the plans it reaches, and a claim each time it is taken, reported on and released',
  async () => {
    await using service = await start();
    const { call } = service;
    await call('POST', '/api/plans', plan('checkout'));
    const waiting = { id: 'parser', title: 'Parser', dependsOn: ['checkout/lexer'] };
    await call('POST', '/api/plans', { plan: 'billing', title: 'Billing', nodes: [waiting] });
    await using socket = await viaSocket(service, '?types=plan_changed,claim_changed');

    await call('POST', `${lexer}/claim`, { agent: 'ada' });
    await call('POST', `${lexer}/report`, { agent: 'ada', note: 'half way' });
    await call('POST', `${lexer}/release`, { agent: 'ada' });
    const released = await socket.untilOne(({ type, data }) => type === 'claim_changed' && data.claim === null);
    expect(released).toMatchObject({ subject: 'checkout/lexer', data: { plan: 'checkout', node: 'lexer' } });
    const claims = socket.heard.filter(({ type }) => type === 'claim_changed').map(({ data }) => data.claim);
    expect(claims).toMatchObject([{ agent: 'ada' }, { agent: 'ada', note: 'half way' }, null]);

    await call('POST', `${lexer}/bind`, { kind: 'signOff' });
    expect((await call('POST', `${lexer}/sign-off?by=bob`, {})).status).toBe(200);
    const across = await socket.untilOne(({ type, subject }) => type === 'plan_changed' && subject === 'billing');
    expect(across.data).toEqual({ slug: 'billing', version: expect.any(Number), nodes: ['parser'] });
  },
);

test('a published run is announced with exactly the members in the map of messages', async () => {
  await using service = await start();
  await using socket = await viaSocket(service);
  const events = [
    { type: 'run_started', runId: 'r1', suite: 'unit', repository: '/home/ada/shop' },
    { type: 'scenario_finished', runId: 'r1', uid: 'a', outcome: 'CleanPass' },
    { type: 'run_finished', runId: 'r1', exitCode: 0 },
  ];
  await service.console('POST', '/api/ingest', { events });
  service.clock.advance(100);
  await service.clock.tick();
  await socket.untilOne(({ type, data }) => type === 'run_changed' && data.run.state === 'finished');
  for (const { type, data } of socket.heard) expect(readMessage({ type, data })).toEqual({ type, data });
  expect(socket.heard.map(({ type }) => type)).toContain('run_events');
});

verifies('hub:none-standalone', 'the run console has no hub', async () => {
  await using service = await start();
  const console = caller(service.consoleUrl);
  expect((await console('GET', '/api/messages', undefined, { accept: 'text/event-stream' })).status).toBe(404);
  expect((await console('POST', '/api/messages/negotiate')).status).toBe(404);
  await expect(viaSocket({ url: service.consoleUrl })).rejects.toThrow('404');
});

verifies('hub:sse', 'a request without a stream gets an explanation of this route', async () => {
  await using service = await start();
  for (const accept of ['application/json', '*/*', 'text/html']) {
    const asked = await service.call('GET', '/api/messages', undefined, { accept });
    expect(asked).toMatchObject({ status: 400, body: { detail: expect.stringContaining('text/event-stream') } });
  }
  expect((await service.call('POST', '/api/messages', {})).status).toBe(405);
});
