import { expect, test } from 'vitest';
import { type Closed, startClosed } from '../tokens.ts';
import { hasNamespaces, startContainer } from './container.ts';

async function sessionOn(service: Closed, sessionId: string) {
  const { body } = await service.operator.call('GET', '/api/agents');
  return body.sessions.find((one: { sessionId: string }) => one.sessionId === sessionId);
}

test.skipIf(!hasNamespaces)(
  'a session in a container is on the board through an observer: waiting, lost with it, right again, killed',
  async () => {
    await using service = await startClosed();
    const { token } = await service.named('boxes', ['observe']);
    await using box = await startContainer(service.url, token, 'shop-dev');
    const state = () => sessionOn(service, box.sessionId);
    await box.ask('observe');
    await expect.poll(state).toMatchObject({
      host: 'shop-dev',
      via: 'observer',
      enter: 'docker exec -it shop-dev',
      state: 'running',
      activity: 'waiting',
      repository: 'acme/shop',
      tree: box.work,
    });
    await box.ask('lose');
    service.clock.advance(31_000);
    await service.clock.tick();
    expect(await state()).toMatchObject({ state: 'unknown', reason: 'observer_lost', live: false });
    await box.ask('observe');
    await expect.poll(state).toMatchObject({ state: 'running' });
    await box.ask('kill');
    await expect.poll(state).toMatchObject({ state: 'gone' });
    await box.ask('leave');
    expect(await state()).toBeUndefined();
  },
);

test.skipIf(!hasNamespaces)(
  'a session folder that a container shares is unknown without an observer, never gone, and the observer knows it',
  async () => {
    const { mkdtemp } = await import('node:fs/promises');
    await using first = await startClosed();
    const { token } = await first.named('boxes', ['observe']);
    await using box = await startContainer(first.url, token, 'shop-dev');
    const shared = await mkdtemp(`${box.home}/data-`);
    await using service = await startClosed({
      home: shared,
      settings: { SessionsPath: `${box.home}/.claude` },
      clock: first.clock,
    });
    expect(await sessionOn(service, box.sessionId)).toMatchObject({ state: 'unknown', reason: 'other_system' });
    const { body: doctor } = await service.operator.call('GET', '/api/agents');
    expect(doctor.sources.find(({ tool }: { tool: string }) => tool === 'claude-code').detail).toMatch(
      /signalbox observe/,
    );
  },
);
