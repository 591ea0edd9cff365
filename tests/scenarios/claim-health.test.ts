import { rm } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Announcement } from '../../packages/service/src/kernel/messages.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { createAgentHome, finalAnswer, toolUse } from '../agents/agent-home.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

const plan = {
  plan: 'checkout',
  title: 'Checkout',
  repository: 'Acme/Shop',
  nodes: [{ id: 'a' }, { id: 'b' }, { id: 'other', repository: 'acme/none' }],
};
const homeless = { plan: 'homeless', title: 'Homeless', nodes: [{ id: 'a' }] };

/** A service whose clock is stopped; `look` moves it on and waits until the sessions were checked again. */
async function board() {
  const clock = createSettableClock();
  const scene = await createAgentHome(() => clock.wall());
  const settings = { SessionsPath: scene.config, HostName: 'box' };
  const open = (home?: string) => start({ settings, clock, ...(home === undefined ? {} : { home }) });
  let service = await open(scene.root);
  await service.call('POST', '/api/plans', plan);
  await service.call('POST', '/api/plans', homeless);
  const agents = async () => (await service.call('GET', '/api/agents')).body;
  return {
    scene,
    clock,
    agents,
    async look(ms = 2000) {
      clock.advance(ms);
      await service.call('POST', '/api/agents/hooks', {});
      const now = new Date(clock.wall()).toISOString();
      await expect.poll(async () => (await agents()).observedAt).toBe(now);
    },
    async gone(): Promise<void> {
      await this.look();
      await this.look();
    },
    claim: (node: string, body: object = {}) =>
      service.call('POST', `/api/plans/checkout/nodes/${node}/claim`, { agent: 'ada', leaseMinutes: 10, ...body }),
    /** Waits until the session of an unnamed claim was searched for. */
    async claimInferred(node: string) {
      await this.claim(node);
      await this.look();
      await clock.tick();
      await expect.poll(async () => (await this.node(node)).claim.linkedBy).toBe('inferred');
    },
    listen: (listener: (message: Announcement) => void) => service.running.announcements.listen(listener),
    call: (method: string, path: string, body?: unknown) => service.call(method, path, body),
    async node(id: string, slug = 'checkout') {
      const { nodes } = (await service.call('GET', `/api/plans/${slug}/status`)).body;
      return nodes.find((each: { id: string }) => each.id === id);
    },
    async restart() {
      await service.stop();
      service = await open(scene.root);
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await scene[Symbol.asyncDispose]();
    },
  };
}

verifies(
  [
    'health:held',
    'health:stalled',
    'health:orphaned',
    'health:orphaned-reason',
    'link:strong',
    'reason:of-session',
    'reason:held-null',
    'health:stalled-is-still-a-claim',
    'tree:owners',
    'session:claims',
    'node-view:carries-claim-health',
  ],
  'a strong claim is held, stalled, then orphaned, as its session goes',
  async () => {
    await using on = await board();
    const shop = await on.scene.repository('shop', 'acme/shop');
    const session = await on.scene.session(1, shop);
    await session.appendRecord(toolUse('Bash'));
    await session.reportStatus('busy');
    await on.look();
    await on.claim('a', { session: session.sessionId });
    const link = { correlation: 'strong', sessionId: session.sessionId, session: session.sessionId };
    expect((await on.node('a')).claim).toMatchObject({ health: 'held', reason: null, ...link });
    await session.appendRecord(finalAnswer);
    await session.reportStatus('idle');
    await on.look();
    expect((await on.node('a')).claim).toMatchObject({ health: 'stalled', reason: 'end_turn', ...link });
    await session.kill();
    await on.gone();
    expect((await on.node('a')).claim).toMatchObject({ health: 'orphaned', reason: 'killed_after:end_turn', ...link });
    const { sessions, trees, unlinkedClaims } = await on.agents();
    expect(sessions[0].claims).toEqual([
      {
        plan: 'checkout',
        node: 'a',
        agent: 'ada',
        health: 'orphaned',
        correlation: 'strong',
        linkedBy: 'argument',
        expiresAt: expect.any(String),
      },
    ]);
    expect(trees[0].owners).toEqual([
      { sessionId: session.sessionId, agent: 'ada', claims: ['checkout/a'], health: 'orphaned' },
    ]);
    expect(unlinkedClaims).toEqual([]);
  },
);

verifies.each(['strong', 'inferred'])(
  ['health:unknown', 'link:inferred', 'link:repository-ignores-case', 'health:marks-never-releases'],
  'a claim goes through every health, told the same on the board and by the node, and stays a claim to its end',
  async (correlation) => {
    await using on = await board();
    const shop = await on.scene.repository('shop', 'acme/shop');
    const session = await on.scene.session(1, shop);
    const reads = async () => {
      const { health, reason, correlation: link, sessionId } = (await on.node('a')).claim;
      const [onBoard] = (await on.call('GET', `/api/agents/${session.sessionId}`)).body.claims;
      expect([onBoard.health, onBoard.correlation]).toEqual([health, link]);
      expect([link, sessionId]).toEqual([correlation, session.sessionId]);
      return [health, reason];
    };
    await session.appendRecord(toolUse('Bash'));
    await session.reportStatus('busy');
    await on.look();
    const named = correlation === 'strong' ? { session: session.sessionId } : {};
    await on.claim('a', { ...named, leaseMinutes: 60 });
    await on.look();
    await on.clock.tick();
    const linkedBy = correlation === 'strong' ? 'argument' : 'inferred';
    await expect.poll(async () => (await on.node('a')).claim.linkedBy).toBe(linkedBy);
    expect(await reads()).toEqual(['held', null]);
    await session.reportStatus('idle');
    await on.look();
    expect(await reads()).toEqual(['stalled', 'turn_ended']);
    expect((await on.claim('a', { agent: 'bob' })).status).toBe(409);
    await session.reportStatus('busy', { status: 'of a later version' });
    await on.look(20 * 60_000);
    expect(await reads()).toEqual(['unknown', 'open_turn_stale']);
    await session.exit();
    await on.look();
    expect(await reads()).toEqual(['orphaned', 'exited_mid_turn']);
    expect((await on.claim('a', { agent: 'bob' })).status).toBe(409);
    on.clock.advance(60 * 60_000);
    const last = { how: 'expired', health: 'orphaned', reason: 'exited_mid_turn' };
    expect(await on.node('a')).toMatchObject({ claim: null, lastClaim: last });
  },
);

verifies(
  ['health:unlinked', 'health:unlinked-is-plain-lease', 'reason:unlinked', 'link:strong-unobserved'],
  'a claim without a session is unlinked, and says why',
  async () => {
    await using on = await board();
    await on.claim('a');
    await on.claim('b', { session: '00000009-0000-4000-8000-000000000000' });
    await on.call('POST', '/api/plans/homeless/nodes/a/claim', { agent: 'ada' });
    await on.look();
    expect((await on.node('a')).claim).toMatchObject({ health: 'unlinked', reason: 'no_session', correlation: null });
    const named = { health: 'unlinked', reason: 'session_not_observed', correlation: 'strong', sessionId: null };
    expect((await on.node('b')).claim).toMatchObject(named);
    expect((await on.node('a', 'homeless')).claim).toMatchObject({ health: 'unlinked', reason: 'no_repository' });
    const { unlinkedClaims } = await on.agents();
    expect(unlinkedClaims.map((one: { plan: string; node: string }) => `${one.plan}/${one.node}`).sort()).toEqual([
      'checkout/a',
      'checkout/b',
      'homeless/a',
    ]);
    expect(unlinkedClaims.find((one: { node: string }) => one.node === 'b')).toMatchObject({ agent: 'ada', ...named });
  },
);

verifies(
  [
    'link:several-sessions-unlinked',
    'link:ambiguous',
    'client:link-reconsidered',
    'link:inferred-made-once',
    'link:inferred-session-gone',
    'link:candidates-at-claim',
    'link:renewal-looks-again',
    'why:agrees-with-health',
  ],
  'a claim is linked to the one session that was there when it was made, for its whole life, or to none',
  async () => {
    await using on = await board();
    const shop = await on.scene.repository('shop', 'acme/shop');
    const first = await on.scene.session(1, shop);
    await first.reportStatus('busy');
    await on.look();
    await on.claimInferred('a');
    const second = await on.scene.session(2, await on.scene.worktree('shop', 'fern'));
    await second.reportStatus('busy');
    await on.look();
    await on.claim('b');
    await on.look();
    await on.clock.tick();
    await expect.poll(async () => (await on.node('b')).claim.reason).toBe('several_sessions');
    expect((await on.node('a')).claim).toMatchObject({ health: 'held', sessionId: first.sessionId });
    expect((await on.node('b')).claim).toMatchObject({ health: 'unlinked', sessionId: null, linkedBy: null });
    const { ambiguous } = await on.agents();
    expect(ambiguous).toEqual([
      {
        repository: 'Acme/Shop',
        sessions: expect.arrayContaining([first.sessionId, second.sessionId]),
        claims: ['checkout/b'],
      },
    ]);
    // All but one of the sessions at the time of the claim are gone: the claim belongs to the remaining one.
    await second.exit();
    await on.gone();
    await on.clock.tick();
    const left = { health: 'held', correlation: 'inferred', sessionId: first.sessionId };
    await expect.poll(async () => (await on.node('b')).claim).toMatchObject(left);
    expect((await on.agents()).ambiguous).toEqual([]);
    await on.call('POST', '/api/plans/checkout/nodes/b/release', { agent: 'ada' });
    const other = await on.scene.session(4, await on.scene.worktree('shop', 'moss'));
    await other.reportStatus('busy');
    await on.look();
    await on.claim('b');
    await on.look();
    await on.clock.tick();
    await expect.poll(async () => (await on.node('b')).claim.reason).toBe('several_sessions');
    // Killed sessions leave their files unchanged, so both are missed by the same check.
    await Promise.all([first.kill(), other.kill()]);
    await on.gone();
    expect((await on.node('b')).claim).toMatchObject({ health: 'unlinked', reason: 'several_sessions' });
    const third = await on.scene.session(3, shop);
    await third.reportStatus('busy');
    await on.look();
    expect((await on.node('a')).claim).toMatchObject({ health: 'orphaned', sessionId: first.sessionId });
    expect((await on.node('a')).why).toMatch(/ada's session ended \([\w: ]+\); the lease lasts until /);
    expect((await on.node('b')).claim).toMatchObject({ health: 'unlinked', sessionId: null });
    // A renewal searches again among the current sessions.
    await on.call('POST', '/api/plans/checkout/nodes/b/report', { agent: 'ada', note: 'still at it' });
    await on.look();
    await on.clock.tick();
    await expect.poll(async () => (await on.node('b')).claim.sessionId).toBe(third.sessionId);
    expect((await on.node('a')).claim).toMatchObject({ health: 'orphaned', sessionId: first.sessionId });
  },
);

verifies(
  ['link:inferred-survives-restart', 'last-claim:health-survives-restart', 'last-claim:orphan-explained'],
  'links and the last health seen survive a restart',
  async () => {
    await using on = await board();
    const shop = await on.scene.repository('shop', 'acme/shop');
    const session = await on.scene.session(1, shop);
    await session.appendRecord(toolUse('Bash'));
    await session.reportStatus('busy');
    await on.look();
    await on.claimInferred('a');
    await session.kill();
    await on.gone();
    expect((await on.node('a')).claim).toMatchObject({ health: 'orphaned', reason: 'killed_mid_turn' });
    const other = await on.scene.session(2, shop);
    await other.reportStatus('busy');
    await on.restart();
    const link = { correlation: 'inferred', sessionId: session.sessionId };
    expect((await on.node('a')).claim).toMatchObject({ health: 'orphaned', reason: 'killed_mid_turn', ...link });
    await rm(session.registryFile);
    await rm(session.transcript);
    on.clock.advance(11 * 60_000);
    await on.restart();
    expect((await on.node('a')).lastClaim).toMatchObject({ health: 'orphaned', reason: 'killed_mid_turn' });
  },
);

verifies(
  ['holder:live-other-session-is-not', 'holder:dead-other-session-is'],
  'the same label in another session is the holder only when the claim has lost its own',
  async () => {
    await using on = await board();
    const shop = await on.scene.repository('shop', 'acme/shop');
    const session = await on.scene.session(1, shop);
    await session.reportStatus('idle');
    await on.look();
    await on.claim('a', { session: session.sessionId });
    const other = { session: '00000002-0000-4000-8000-000000000000' };
    expect((await on.claim('a', other)).status).toBe(409);
    await session.exit();
    await on.gone();
    expect((await on.claim('a', other)).status).toBe(200);
  },
);

verifies(
  ['agents:since', 'agents:linked-session-stays', 'tree:independent-of-filter'],
  'since leaves out what is old, but no session that holds a claim, and no tree',
  async () => {
    await using on = await board();
    const shop = await on.scene.repository('shop', 'acme/shop');
    const [old, holder] = [await on.scene.session(1, shop), await on.scene.session(2, shop)];
    for (const session of [old, holder]) {
      await session.appendRecord(finalAnswer);
      await session.exit();
    }
    await on.look(3 * 3_600_000);
    await on.claim('a', { session: holder.sessionId });
    const narrowed = (await on.call('GET', '/api/agents?since=2h')).body;
    expect(narrowed.sessions.map((one: { sessionId: string }) => one.sessionId)).toEqual([holder.sessionId]);
    expect(narrowed.trees).toEqual((await on.agents()).trees);
    expect((await on.agents()).sessions).toHaveLength(2);
    expect((await on.call('GET', '/api/agents?since=soon')).status).toBe(400);
  },
);

verifies('hub:claim-changed-by-health', 'a change of health is announced with the claim', async () => {
  await using on = await board();
  const shop = await on.scene.repository('shop', 'acme/shop');
  const session = await on.scene.session(1, shop);
  await session.reportStatus('busy');
  await on.look();
  await on.claimInferred('a');
  const told: Announcement[] = [];
  on.listen((message) => told.push(message));
  await session.reportStatus('idle');
  await on.look();
  await expect.poll(() => told.map(({ type }) => type)).toContain('claim_changed');
  expect(told.find(({ type }) => type === 'agents_changed')?.data).toEqual({
    sessions: [session.sessionId],
    trees: [],
  });
  expect(told.find(({ type }) => type === 'claim_changed')).toMatchObject({
    data: { plan: 'checkout', node: 'a', claim: { health: 'stalled', reason: 'turn_ended' } },
  });
});
