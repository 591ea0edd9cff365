import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sessionFactsSample } from '../samples.ts';
import { signalbox } from '../spawn.ts';
import { caller } from '../start.ts';
import { type Closed, startClosed } from '../tokens.ts';

const sessionId = '0000000a-0000-4000-8000-000000000000';
const first = () => ({ life: randomUUID(), sequence: 1, whole: true, sentAt: new Date().toISOString() });
const session = sessionFactsSample({ sessionId, title: 'Prices', activity: null });

async function ownHome() {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'remembered-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

const shown = async (service: Closed) => {
  const { body } = await service.operator.call('GET', '/api/agents');
  const hosts = (await service.operator.call('GET', '/api/hosts')).body;
  return { session: body.sessions[0], observer: hosts[1] };
};

test('an observer that does not come back after a restart of the service is lost, and its sessions are unknown', async () => {
  const home = await ownHome();
  const before = await startClosed({ home });
  const { token } = await before.named('boxes', ['observe']);
  const batch = { ...first(), enter: 'ssh devbox', sessions: [session] };
  expect((await before.holding(token).call('POST', '/api/observers/devbox', batch)).status).toBe(200);
  await before.stop();

  await using service = await startClosed({ home, clock: before.clock });
  expect(await shown(service)).toMatchObject({
    session: { sessionId, host: 'devbox', title: 'Prices', state: 'running' },
    observer: { name: 'devbox', state: 'up' },
  });
  service.clock.advance(31_000);
  await service.clock.tick();
  expect(await shown(service)).toMatchObject({
    session: { sessionId, enter: 'ssh devbox', state: 'unknown', reason: 'observer_lost', live: false },
    observer: { name: 'devbox', state: 'away', enter: 'ssh devbox' },
  });
  const box = service.holding(token);
  expect((await box.call('POST', '/api/observers/devbox', { ...batch, whole: false, sequence: 2 })).body).toEqual({
    resend: true,
  });
  await box.call('POST', '/api/observers/devbox', { ...batch, sequence: 3 });
  expect(await shown(service)).toMatchObject({ session: { state: 'running' }, observer: { state: 'up' } });
});

test('a restarted observer gets its name back immediately, and one that left is forgotten', async () => {
  const home = await ownHome();
  const before = await startClosed({ home });
  const { token } = await before.named('boxes', ['observe']);
  const box = before.holding(token);
  const leaving = first();
  await box.call('POST', '/api/observers/devbox', { ...first(), sessions: [session] });
  await box.call('POST', '/api/observers/left', leaving);
  await box.call('POST', '/api/observers/left', { ...leaving, sequence: 2, leaves: true });
  await before.stop();
  await using service = await startClosed({ home, clock: before.clock });
  expect((await service.holding(token).call('POST', '/api/observers/devbox', first())).body).toEqual({ resend: false });
  const hosts = (await service.operator.call('GET', '/api/hosts')).body;
  expect(hosts.map(({ name }: { name: string }) => name)).toHaveLength(2);
  expect(await shown(service)).toMatchObject({ session: undefined, observer: { name: 'devbox', state: 'up' } });
});

test('a damaged file of observers counts as missing', async () => {
  const home = await ownHome();
  const before = await startClosed({ home });
  await before.stop();
  for (const text of ['', '{"a":', '[{"name":"devbox"}]', '[]'.padEnd(100, ' ')]) {
    writeFileSync(join(before.dataPath, 'observers.json'), text);
    await using service = await startClosed({ home });
    expect((await service.operator.call('GET', '/api/hosts')).body).toHaveLength(1);
  }
});

test('a service that is killed knows its observers when it is started again', async () => {
  const home = await ownHome();
  const started = async () => {
    const service = signalbox(['start'], { PORT: '0,0' }, home);
    const [, url = ''] = await service.says(/(http:\/\/localhost:\d+)\b/);
    return { service, call: caller(url) };
  };
  const { service: killed, call } = await started();
  expect((await call('POST', '/api/observers/devbox', { ...first(), sessions: [session] })).status).toBe(200);
  const ended = killed.ended;
  killed.child.kill('SIGKILL');
  await ended;
  const again = await started();
  await using _ = again.service;
  expect((await again.call('GET', '/api/agents')).body.sessions).toMatchObject([{ sessionId, host: 'devbox' }]);
});
