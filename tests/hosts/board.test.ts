import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { createAgentHome, finalAnswer } from '../agents/agent-home.ts';
import { viaEvents } from '../hub/clients.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { asIfCrashed, silenceHost } from './silence-host.ts';

const patience = { interval: 50 };
const host = (Store: string, HostName: string, more: Record<string, string> = {}) =>
  start({ clock: systemClock, settings: { Store, HostName, LicenceGate: 'off', ...more } });

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
type Board = any;

const nodeN = ({ body }: { body: Board }) => body.nodes.find(({ id }: Board) => id === 'n');

verifies(
  [
    'hosts:observe-own',
    'hosts:one-board',
    'link:inferred-on-any-host',
    'link:strong-to-no-other',
    'repositories:listed-by-tree',
    'hub:agents-changed',
  ],
  'each host observes its own sessions; the board of any host shows all, and a claim is linked to a session elsewhere',
  async () => {
    const store = await cloneDatabase();
    await using scene = await createAgentHome();
    const root = await scene.repository('shop', 'acme/shop');
    const session = await scene.session(1, root);
    await session.appendRecord(finalAnswer);
    await session.reportStatus('busy');
    await using ada = await host(store, 'ada', { SessionsPath: scene.config });
    await using bob = await host(store, 'bob');
    const board = async (): Promise<Board> => (await bob.call('GET', '/api/agents')).body;
    await expect.poll(async () => (await board()).sessions[0]?.state, patience).toBe('running');
    expect(await board()).toMatchObject({
      sessions: [{ sessionId: session.sessionId, host: 'ada', repository: 'acme/shop', tree: root }],
      trees: [{ host: 'ada', root, sessions: [session.sessionId] }],
    });
    expect((await ada.call('GET', '/api/agents')).body.sessions).toEqual((await board()).sessions);
    expect((await bob.call('GET', `/api/agents/${session.sessionId}`)).body).toMatchObject({ host: 'ada' });
    expect((await bob.call('GET', '/api/repositories')).body).toMatchObject([{ name: 'shop', trees: [root] }]);

    await bob.call('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', nodes: [{ id: 'n' }] });
    await bob.call('POST', '/api/plans/p/nodes/n/claim', { agent: 'eve' });
    const claim = async () => nodeN(await bob.call('GET', '/api/plans/p/status')).claim;
    await expect.poll(async () => (await claim()).linkedBy, patience).toBe('inferred');
    expect(await claim()).toMatchObject({
      health: 'held',
      correlation: 'inferred',
      sessionId: session.sessionId,
    });
    const named = { agent: 'eve', session: 'not-observed-anywhere' };
    await bob.call('POST', '/api/plans/p/nodes', { id: 'm' });
    await bob.call('POST', '/api/plans/p/nodes/m/claim', named);
    const strong = (await bob.call('GET', '/api/plans/p/status')).body.nodes.find(({ id }: Board) => id === 'm');
    expect(strong.claim).toMatchObject({ correlation: 'strong', sessionId: null, health: 'unlinked' });

    await using heard = await viaEvents(bob, '?types=agents_changed');
    await session.reportStatus('idle');
    await heard.untilOne(({ data }) => data.sessions.includes(session.sessionId) && Array.isArray(data.trees));
    const health = async () => nodeN(await bob.call('GET', '/api/plans/p/status')).claim.health;
    await expect.poll(health, patience).toBe('stalled');
    await session.kill();
    await expect.poll(health, patience).toBe('orphaned');
    const kept = nodeN(await ada.call('GET', '/api/plans/p/status')).claim;
    expect(kept).toMatchObject({ health: 'orphaned', sessionId: session.sessionId });
  },
);

verifies(
  'hosts:unheard-is-unknown',
  'the sessions of a host not heard of for 30 s are unknown, its claims too; when it is back they are as it says',
  async () => {
    const store = await cloneDatabase();
    await using scene = await createAgentHome();
    const session = await scene.session(1, await scene.repository('shop', 'acme/shop'));
    await session.appendRecord(finalAnswer);
    await session.reportStatus('busy');
    await using ada = await host(store, 'ada');
    const bob = await host(store, 'bob', { SessionsPath: scene.config });
    const seen = async () => {
      const { sessions } = (await ada.call('GET', '/api/agents')).body;
      return sessions.map((one: Board) => [one.host, one.state, one.claims[0]?.health]);
    };
    await expect.poll(seen, patience).toEqual([['bob', 'running', undefined]]);
    await ada.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'n' }] });
    await ada.call('POST', '/api/plans/p/nodes/n/claim', { agent: 'eve', session: session.sessionId });
    expect(await seen()).toEqual([['bob', 'running', 'held']]);

    await bob.stop();
    expect(await seen()).toEqual([['bob', 'running', 'held']]);
    await silenceHost(store, 'bob', 31);
    await expect.poll(seen, patience).toEqual([['bob', 'unknown', 'unknown']]);

    await using again = await start({
      clock: systemClock,
      home: bob.home,
      settings: { Store: store, HostName: 'bob', LicenceGate: 'off', SessionsPath: scene.config },
    });
    await expect.poll(seen, patience).toEqual([['bob', 'running', 'held']]);
    await again.stop();
    await bob[Symbol.asyncDispose]();
  },
);

verifies(
  'hosts:same-name-refused',
  'a second living host of the same name refuses to start and names the first; one that left or is away lets its name go',
  async () => {
    const store = await cloneDatabase();
    const first = await host(store, 'Twin');
    await using refused = signalbox(['start'], { PORT: '0,0', Service__Store: store, Service__HostName: 'twin' });
    expect(await refused.ended).toBe(1);
    expect(refused.err()).toMatch(
      new RegExp(`^The host name twin is in use: process ${process.pid} on .*, since 20.*Service:HostName`),
    );
    await first[Symbol.asyncDispose]();
    const next = await host(store, 'twin');
    await next[Symbol.asyncDispose]();
    await asIfCrashed(store, 'twin');
    await expect(host(store, 'twin')).rejects.toThrow(/is in use/);
    await silenceHost(store, 'twin', 631);
    await using second = await host(store, 'twin');
    expect((await second.call('GET', '/api/plans')).status).toBe(200);
  },
);
