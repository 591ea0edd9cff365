import { access } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { createAgentHome, toolUse } from '../agents/agent-home.ts';
import { type Started, start } from '../start.ts';
import { promises } from './promises.ts';

const clock = createSettableClock();
let scene: Awaited<ReturnType<typeof createAgentHome>>;
let service: Started;
beforeAll(async () => {
  scene = await createAgentHome(() => clock.wall());
  // Without a setting, the sessions are those in the home directory.
  service = await start({ home: scene.root, clock });
  const nodes = ['strong', 'inferred', 'ambiguous', 'lonely'].map((id) => ({ id }));
  await service.call('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', nodes });
  await service.call('POST', '/api/plans', { plan: 'none', repository: 'acme/none', nodes: [{ id: 'n' }] });
});
afterAll(async () => {
  await service.stop();
  await scene[Symbol.asyncDispose]();
});

const board = async () => (await service.call('GET', '/api/agents')).body;
/** Moves the clock on and waits until the sessions were checked again. */
async function look(ms = 2000): Promise<void> {
  clock.advance(ms);
  await service.call('POST', '/api/agents/hooks', {});
  const now = new Date(clock.wall()).toISOString();
  await expect.poll(async () => (await board()).observedAt).toBe(now);
}
const claimOf = async (node: string, plan = 'p') =>
  (await service.call('GET', `/api/plans/${plan}/status`)).body.nodes.find(({ id }: { id: string }) => id === node)
    .claim;
const claim = (node: string, body: object = {}, plan = 'p') =>
  service.call('POST', `/api/plans/${plan}/nodes/${node}/claim`, { agent: 'ada', leaseMinutes: 600, ...body });

promises(
  [
    '1.11',
    '1.12',
    '2.9',
    '2.13',
    '2.14',
    '2.15',
    '2.16',
    '2.17',
    '3.1',
    '3.2',
    '3.3',
    '3.4',
    '3.5',
    '3.6',
    '3.7',
    '3.8',
    '3.15',
    '3.16',
    '4.1',
    '4.2',
    '7.2',
  ],
  'sessions are observed in the home directory, joined to claims, and only marked',
  async () => {
    const shop = await scene.repository('shop', 'acme/shop');
    const one = await scene.session(1, shop);
    await one.appendRecord(toolUse('Bash'));
    await one.reportStatus('busy');
    await look();
    expect((await service.call('GET', `/api/agents/${one.sessionId}`)).body).toMatchObject({
      sessionId: one.sessionId,
      cwd: shop,
      state: 'running',
    });
    expect((await service.call('GET', '/api/agents/00000009-0000-4000-8000-000000000000')).status).toBe(404);
    await claim('strong', { session: one.sessionId });
    await claim('inferred');
    await claim('n', {}, 'none');
    await look();
    await clock.tick();
    await expect.poll(async () => (await claimOf('inferred')).correlation).toBe('inferred');
    expect(await claimOf('strong')).toMatchObject({ health: 'held', correlation: 'strong', sessionId: one.sessionId });
    expect(await claimOf('inferred')).toMatchObject({ health: 'held', sessionId: one.sessionId });
    expect(await claimOf('n', 'none')).toMatchObject({ health: 'unlinked' });
    expect((await board()).unlinkedClaims).toMatchObject([{ plan: 'none', node: 'n' }]);

    const two = await scene.session(2, shop);
    await two.reportStatus('busy');
    const tree = await scene.worktree('shop', 'fern');
    const three = await scene.session(3, tree);
    await three.reportStatus('busy');
    await look();
    const { trees, sessions } = await board();
    expect(sessions).toHaveLength(3);
    expect(trees.find(({ root }: { root: string }) => root === shop)).toMatchObject({ contested: true });
    expect(trees.find(({ root }: { root: string }) => root === tree)).toMatchObject({ contested: false });
    await claim('ambiguous');
    await look();
    await clock.tick();
    await expect.poll(async () => (await claimOf('ambiguous')).reason).toBe('several_sessions');
    expect(await claimOf('ambiguous')).toMatchObject({ health: 'unlinked' });

    await one.reportStatus('idle');
    await look();
    expect(await claimOf('strong')).toMatchObject({ health: 'stalled' });
    expect((await claim('strong', { agent: 'bob' })).status).toBe(409);
    await one.reportStatus('busy', { status: 'of a later version' });
    await look(20 * 60_000);
    expect(await claimOf('strong')).toMatchObject({ health: 'unknown' });
    await one.kill();
    await three.kill();
    await look();
    await look();
    expect(await claimOf('strong')).toMatchObject({ health: 'orphaned', reason: expect.stringMatching(/^killed/) });
    expect((await service.call('GET', `/api/agents/${one.sessionId}`)).body.state).toBe('gone');
    expect((await board()).trees.find(({ root }: { root: string }) => root === tree)).toMatchObject({
      needsCleanup: true,
    });
    // The session is only marked: the claims stay valid, the other session lives, the worktree exists.
    expect((await claim('strong', { agent: 'bob' })).status).toBe(409);
    expect(process.kill(two.pid, 0)).toBe(true);
    await access(tree);
    clock.advance(600 * 60_000);
    expect((await claim('strong', { agent: 'bob' })).status).toBe(200);
  },
);
