import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sessionFactsSample } from '../samples.ts';
import { startClosed } from '../tokens.ts';

const session_id = '0000000a-0000-4000-8000-000000000000';

const first = () => ({ life: randomUUID(), sequence: 1, whole: true, sentAt: '2026-01-01T09:00:00.000Z' });
const seen = (sessionId: string, more: object = {}) => ({
  ...sessionFactsSample({ sessionId, startedAt: '2026-01-01T08:00:00.000Z', activity: null }),
  ...more,
});

test('a claim of a session that an observer sees is held, stalled and orphaned with it', async () => {
  await using service = await startClosed();
  const box = await service.named('boxes', ['observe']);
  const ada = await service.named('ada', ['author']);
  const plan = { slug: 'shop', title: 'Shop', nodes: [{ id: 'cart', title: 'Cart', repository: 'acme/shop' }] };
  await ada.call('POST', '/api/plans', plan);
  const send = (body: object) => box.call('POST', '/api/observers/devbox', body);
  const life = first();
  const tree = {
    root: '/workspace',
    mainRoot: '/workspace',
    repository: 'acme/shop',
    branch: 'main',
    worktree: false,
    onDisk: true,
    sessions: [session_id],
    live: [session_id],
    contested: false,
    needsCleanup: false,
  };
  expect((await send({ ...life, sessions: [seen(session_id)], trees: [tree] })).body).toEqual({ resend: false });
  await ada.call('POST', '/api/plans/shop/nodes/cart/claim', { agent: 'ada', session: session_id });
  const health = async () => (await ada.call('GET', '/api/plans/shop/nodes/cart')).body.claim?.health;
  await expect.poll(health).toBe('held');
  await send({
    ...life,
    whole: false,
    sequence: 2,
    sessions: [seen(session_id, { state: 'idle', reason: 'end_turn' })],
  });
  await expect.poll(health).toBe('stalled');
  const gone = { state: 'gone', reason: 'killed_mid_turn', live: false, pid: null, processes: 0 };
  await send({ ...life, whole: false, sequence: 3, sessions: [seen(session_id, gone)] });
  await expect.poll(health).toBe('orphaned');
  const { body } = await ada.call('GET', '/api/agents');
  expect(body.trees).toMatchObject([{ host: 'devbox', root: '/workspace' }]);
});

test('a second observer of one name, and one with the name of the host, are refused and named', async () => {
  await using service = await startClosed({ settings: { HostName: 'tower' } });
  const box = await service.named('boxes', ['observe']);
  expect((await box.call('POST', '/api/observers/devbox', first())).status).toBe(200);
  const second = await box.call('POST', '/api/observers/devbox', first());
  expect([second.status, second.body.code]).toEqual([409, 'observer_name_taken']);
  expect(second.body.detail).toContain('devbox');
  const host = await box.call('POST', '/api/observers/Tower', first());
  expect([host.status, host.body.code]).toEqual([409, 'observer_name_taken']);
});

test('heartbeats of observers leave no lines in the audit, and refused ones do', async () => {
  await using service = await startClosed();
  const box = await service.named('boxes', ['observe']);
  await box.call('POST', '/api/observers/devbox', first());
  await box.call('POST', '/api/observers/devbox', first());
  const { body } = await service.operator.call('GET', '/api/audit');
  const lines = body.items.filter(({ command }: { command: string }) => command === 'send_observations');
  expect(lines.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['observer_name_taken']);
});

test('hooks with a token report a session that nothing else observes, and without one they do not', async () => {
  await using service = await startClosed();
  const ada = await service.named('ada', ['work']);
  const hook = (hook_event_name: string, more: object = {}) => ({ session_id, hook_event_name, cwd: '/repo', ...more });
  const session = async () =>
    (await ada.call('GET', '/api/agents')).body.sessions.find(
      (one: { sessionId: string }) => one.sessionId === session_id,
    );
  await service.operator.call('POST', '/api/agents/hooks', hook('UserPromptSubmit'));
  expect(await session()).toBeUndefined();
  await ada.call('POST', '/api/agents/hooks?host=cloud-7', hook('UserPromptSubmit', { prompt: 'the secret prompt' }));
  expect(await session()).toMatchObject({ host: 'cloud-7', via: 'hooks', state: 'running', cwd: '/repo' });
  await ada.call('POST', '/api/agents/hooks?host=cloud-7', hook('Notification'));
  expect(await session()).toMatchObject({ activity: 'waiting' });
  expect(JSON.stringify(await session())).not.toContain('secret');
  service.clock.advance(10 * 60_000 + 1);
  await service.clock.tick();
  expect(await session()).toMatchObject({ state: 'unknown', reason: 'no_hook' });
});

test('observers are listed among the hosts with version, clock and sessions, and a lost one is a need', async () => {
  await using service = await startClosed({ settings: { HostName: 'tower' } });
  const box = await service.named('boxes', ['observe']);
  const sentAt = new Date(service.clock.wall() + 4 * 60_000).toISOString();
  const batch = { ...first(), sentAt, version: '0.3.0', enter: 'ssh devbox', sessions: [seen(session_id)] };
  await box.call('POST', '/api/observers/devbox', batch);
  const hosts = async () => (await service.operator.call('GET', '/api/hosts')).body;
  expect(await hosts()).toMatchObject([
    { name: 'tower', self: true },
    { name: 'devbox', via: 'observer', state: 'up', version: '0.3.0', clockOffsetMs: 240_000, sessions: 1 },
  ]);
  service.clock.advance(31_000);
  await service.clock.tick();
  expect((await hosts())[1]).toMatchObject({ state: 'away', enter: 'ssh devbox', lagMs: 31_000 });
  const { body } = await service.operator.call('GET', '/api/needs');
  expect(body.needs).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'host_unreachable', host: 'devbox' })]),
  );
});
