import { expect } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import type { Door } from '../coordination/call-through.ts';
import { startWithTransport } from '../coordination/start-with-transport.ts';
import { verifies } from '../verifies.ts';

const transports = ['rest', 'mcp', 'socket'] as const;
const signOff = { kind: 'signOff' };
const document = {
  plan: 'shop',
  repository: 'acme/shop',
  nodes: [
    { id: 'lexer', binding: signOff, labels: ['backend'] },
    { id: 'parser', binding: signOff, dependsOn: ['lexer'] },
    { id: 'totals', binding: signOff, dependsOn: ['parser'] },
    { id: 'docs', repository: 'acme/docs' },
  ],
};
const lexer = { plan: 'shop', node: 'lexer' };
const parser = { plan: 'shop', node: 'parser' };
const ada = { ...lexer, agent: 'ada' };
const bob = { ...lexer, agent: 'bob' };
const minutes = (many: number) => many * 60_000;
const nine = Date.UTC(2026, 0, 1, 9);
const iso = (at: number) => new Date(at).toISOString();

/** The same, with the plan that this file uses. */
async function work(door: Door, settings: Record<string, string> = {}) {
  const staged = await startWithTransport(door, { clock: createSettableClock(nine), settings });
  await staged.call('create_plan', { document });
  return staged;
}

verifies.each(transports)(
  [
    'claim:succeeds',
    'claim:default-lease',
    'claim:ready-warning-null',
    'claim:session-optional',
    'loop:node-after-the-call',
    'loop:mcp-twins',
  ],
  'an unclaimed node that is not done is claimed by the agent, with the end of the lease',
  async (door) => {
    await using on = await work(door);
    const answer = await on.call('claim_node', { ...ada, session: 's1', view: 'full' });
    expect(answer).toMatchObject({
      claimed: true,
      expiresAt: iso(nine + minutes(30)),
      readyWarning: null,
      fence: nine,
    });
    expect(answer.node).toMatchObject({ ref: 'shop/lexer', status: 'claimed', claimedBy: 'ada', ready: true });
    expect(answer.node.claim).toMatchObject({
      agent: 'ada',
      session: 's1',
      note: null,
      claimedAt: iso(nine),
      fence: nine,
    });
  },
);

verifies.each(transports)(
  ['claim:not-ready-warns', 'claim:ready-warning-shape'],
  'a claim of a node that is not ready succeeds and warns',
  async (door) => {
    await using on = await work(door);
    const answer = await on.call('claim_node', { ...parser, agent: 'ada' });
    expect(answer).toMatchObject({ claimed: true, readyWarning: { waitingFor: ['shop/lexer'] } });
    expect(answer.readyWarning.message).toContain('shop/lexer');
  },
);

verifies.each(transports)(
  ['claim:held-409', 'claim:conflict-changes-nothing', 'claim:expired-lease-is-free', 'lease:ends-by-the-clock'],
  'a claim of a node under a live lease names who holds it until when; once the lease ends it is free',
  async (door) => {
    await using on = await work(door);
    const { node } = await on.call('claim_node', { ...ada, view: 'full' });
    on.clock.advance(minutes(30) - 1);
    expect(await on.call('claim_node', bob)).toEqual({
      claimed: false,
      heldBy: 'ada',
      heldUntil: iso(nine + minutes(30)),
    });
    const raw = await on.service.call('POST', '/api/plans/shop/nodes/lexer/claim', { agent: 'bob' });
    expect(raw.status).toBe(409);
    expect((await on.call('plan_status', { plan: 'shop' })).nodes[0].claim).toEqual(node.claim);
    on.clock.advance(1);
    const taken = await on.call('claim_node', bob);
    expect(taken).toMatchObject({ claimed: true, fence: nine + minutes(30) });
    expect(taken.node.lastClaim).toMatchObject({ agent: 'ada', how: 'expired', endedAt: iso(nine + minutes(30)) });
  },
);

verifies.each(transports)(
  [
    'report:sets-note',
    'report:renews-lease',
    'report:answer',
    'report:absent-note-keeps',
    'report:empty-note-clears',
    'report:session-replaces',
  ],
  'a report by the holder attaches or replaces the note and renews the lease',
  async (door) => {
    await using on = await work(door);
    await on.call('claim_node', ada);
    on.clock.advance(minutes(10));
    const first = await on.call('report_node', { ...ada, note: 'half way', view: 'full' });
    expect(first).toMatchObject({
      reported: true,
      expiresAt: iso(nine + minutes(40)),
      node: { claim: { note: 'half way' } },
    });
    const kept = await on.call('report_node', { ...ada, session: 's2', view: 'full' });
    expect(kept.node.claim).toMatchObject({ note: 'half way', session: 's2' });
    expect((await on.call('report_node', { ...ada, note: '', view: 'full' })).node.claim.note).toBeNull();
  },
);

verifies.each(transports)(
  [
    'report:not-holder-409',
    'report:refusal-changes-nothing',
    'report:no-live-claim-409',
    'fence:refusals-tell-the-holder',
    'fence:holder-checked-first',
    'fence:stale-409',
    'holder:same-agent',
  ],
  'a report by anyone but the holder is told to claim first, and changes nothing',
  async (door) => {
    await using on = await work(door);
    const free = await on.call('report_node', { ...ada, note: 'x' });
    expect(free).toMatchObject({ status: 409, code: 'not_holder', heldBy: null, heldUntil: null });
    await on.call('claim_node', ada);
    const other = await on.call('report_node', { ...bob, note: 'x', fence: 9 });
    expect(other).toMatchObject({ status: 409, code: 'not_holder', heldBy: 'ada', heldUntil: iso(nine + minutes(30)) });
    expect(other.detail).toMatch(/claim it first/i);
    const stale = await on.call('report_node', { ...ada, note: 'x', fence: 9 });
    expect(stale).toMatchObject({ status: 409, code: 'stale_fence', heldBy: 'ada' });
    expect(stale.detail).toContain('No claim of shop/lexer had fence 9');
    expect(await on.call('release_node', { ...ada, fence: 9 })).toMatchObject({ code: 'stale_fence' });
    on.clock.advance(minutes(30));
    expect(await on.call('report_node', { ...ada, note: 'x' })).toMatchObject({ code: 'not_holder', heldBy: null });
    const [node] = (await on.call('plan_status', { plan: 'shop' })).nodes;
    expect(node.lastClaim).toMatchObject({ agent: 'ada', note: null });
  },
);

verifies.each(transports)(
  ['release:frees', 'release:nothing-held', 'release:held-by-another-409', 'release:status-stays-observed'],
  'a release frees the node and leaves its status as observed',
  async (door) => {
    await using on = await work(door);
    expect(await on.call('release_node', ada)).toMatchObject({ released: false, node: { ref: 'shop/lexer' } });
    await on.call('claim_node', ada);
    expect(await on.call('release_node', bob)).toMatchObject({ status: 409, code: 'not_holder', heldBy: 'ada' });
    const answer = await on.call('release_node', { ...ada, view: 'full' });
    expect(answer).toMatchObject({ released: true, node: { status: 'ready', claim: null, claimedBy: null } });
    expect(answer.node.lastClaim).toMatchObject({ agent: 'ada', how: 'released' });
  },
);

verifies.each(transports)(
  ['claim:done-400', 'claim:done-before-held', 'claim:done-for-holder-too', 'report:works-on-done-node'],
  'a done node cannot be claimed, held or not; its holder still reports and releases',
  async (door) => {
    await using on = await work(door);
    await on.call('claim_node', ada);
    expect(await on.call('sign_off_node', { ...lexer, by: 'eve' })).toMatchObject({ status: 'done' });
    for (const who of [ada, bob]) {
      expect(await on.call('claim_node', who)).toMatchObject({ status: 400, code: 'node_done' });
    }
    expect(await on.call('report_node', { ...ada, note: 'merged' })).toMatchObject({ reported: true });
    expect(await on.call('release_node', ada)).toMatchObject({ released: true, node: { status: 'done' } });
    expect(await on.call('claim_node', ada)).toMatchObject({ code: 'node_done' });
  },
);

verifies.each(transports)(
  [
    'claim:agent-required',
    'agent:blank-required',
    'claim:unknown-plan-404',
    'claim:unknown-node-404',
    'claim:archived-plan-404',
    'report:works-on-archived-plan',
    'lease:minutes-range',
    'lease:fraction-of-a-minute',
  ],
  'a claim without an agent, with a bad lease, or of nothing that is there, is refused by its own code',
  async (door) => {
    await using on = await work(door);
    for (const agent of [undefined, null, 7, '', '  ']) {
      expect(await on.call('claim_node', { ...lexer, agent, leaseMinutes: -1 })).toMatchObject({
        status: 400,
        code: 'agent_required',
      });
    }
    for (const leaseMinutes of [0, -1, 1441, '30', 1e308]) {
      expect(await on.call('claim_node', { ...ada, leaseMinutes })).toMatchObject({
        status: 400,
        code: 'invalid_request',
      });
    }
    expect(await on.call('claim_node', { ...ada, plan: 'nowhere' })).toMatchObject({
      status: 404,
      code: 'plan_not_found',
    });
    expect(await on.call('claim_node', { ...ada, node: 'nothing' })).toMatchObject({
      status: 404,
      code: 'node_not_found',
    });
    const half = await on.call('claim_node', { ...ada, leaseMinutes: 0.5, session: null });
    expect(half.expiresAt).toBe(iso(nine + 30_000));
    await on.call('archive_plan', { plan: 'shop' });
    expect(await on.call('claim_node', { ...parser, agent: 'ada' })).toMatchObject({
      status: 404,
      code: 'plan_not_found',
    });
    expect(await on.call('report_node', { ...ada, note: 'x' })).toMatchObject({ reported: true });
    expect(await on.call('release_node', ada)).toMatchObject({ released: true });
  },
);

verifies.each(transports)(
  [
    'renew:same-claim',
    'renew:takes-over-session',
    'renew:length-last-asked',
    'renew:may-shorten',
    'renew:answer-says-so',
    'holder:one-side-without-session-is',
  ],
  'the holder claiming again renews the same claim',
  async (door) => {
    await using on = await work(door);
    await on.call('claim_node', { ...ada, leaseMinutes: 60 });
    await on.call('report_node', { ...ada, note: 'kept' });
    on.clock.advance(minutes(5));
    const again = await on.call('claim_node', { ...ada, session: 's1', view: 'full' });
    expect(again).toMatchObject({ claimed: true, renewed: true, fence: nine, expiresAt: iso(nine + minutes(65)) });
    expect(again.node.claim).toMatchObject({ note: 'kept', session: 's1', claimedAt: iso(nine) });
    const shorter = await on.call('claim_node', { ...ada, session: 's1', leaseMinutes: 1 });
    expect(shorter).toMatchObject({ claimed: true, fence: nine, expiresAt: iso(nine + minutes(6)) });
    expect(await on.call('report_node', ada)).toMatchObject({ reported: true });
    expect(await on.call('release_node', ada)).toMatchObject({ released: true });
  },
);

verifies.each(transports)(
  ['holder:unobserved-is-not-gone', 'holder:fence-shown', 'holder:same-test-everywhere'],
  'of two agents with one name and sessions that nobody observes, one holds the node; the fence hands it over',
  async (door) => {
    await using on = await work(door);
    const [first, second] = [
      { ...ada, session: 's1' },
      { ...ada, session: 's2' },
    ];
    const { fence, renewed } = await on.call('claim_node', first);
    expect(renewed).toBeUndefined();
    expect(await on.call('claim_node', second)).toMatchObject({ claimed: false, heldBy: 'ada' });
    expect(await on.call('report_node', second)).toMatchObject({ code: 'not_holder' });
    expect(await on.call('release_node', second)).toMatchObject({ code: 'not_holder' });
    expect(await on.call('claim_node', { ...second, fence })).toMatchObject({ claimed: true, renewed: true, fence });
    expect(await on.call('report_node', first)).toMatchObject({ code: 'not_holder' });
    expect(await on.call('release_node', { ...first, fence })).toMatchObject({ released: true });
  },
);

verifies.each(transports)(
  [
    'licence:work-loop-gated',
    'licence:same-envelope',
    'licence:envelope',
    'licence:none-means-none',
    'checks:licence-before-shape',
  ],
  'the work loop without a licence answers 402, and reads and authoring go on',
  async (door) => {
    await using on = await work(door, { Licence: 'none' });
    const calls: [string, object][] = [
      ['next_ready_nodes', {}],
      ['claim_next', {}],
      ['claim_node', lexer],
      ['report_node', lexer],
      ['release_node', lexer],
    ];
    for (const [name, input] of calls) {
      const answer = await on.call(name, input);
      expect(answer).toMatchObject({ status: 402, code: 'licence_required', licence: { state: 'missing' } });
    }
    expect(await on.call('plan_status', { plan: 'shop' })).toMatchObject({ slug: 'shop' });
  },
);

verifies.each(transports)(
  [
    'ready:across-all-plans',
    'ready:one-plan',
    'ready:in-ready-order',
    'ready:claimed-by-when-held',
    'ready:by-repository',
    'ready:by-label',
    'ready:unclaimed-only',
    'ready:only-ready-nodes',
    'ready:unknown-plan-404',
  ],
  'ready work comes by leverage from all active plans, and can be narrowed',
  async (door) => {
    await using on = await work(door);
    await on.call('create_plan', { document: { plan: 'other', nodes: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }] } });
    await on.call('claim_node', ada);
    const refs = async (input = {}) => {
      const ready = await on.call('next_ready_nodes', input);
      for (const node of ready) expect(node.ready).toBe(true);
      return ready.map(
        ({ ref, claimedBy }: { ref: string; claimedBy?: string | null }) => `${ref} ${claimedBy ?? null}`,
      );
    };
    expect(await refs()).toEqual(['shop/lexer ada', 'other/a null', 'shop/docs null']);
    expect(await refs({ plan: 'SHOP' })).toEqual(['shop/lexer ada', 'shop/docs null']);
    expect(await refs({ repository: 'Acme/Docs' })).toEqual(['shop/docs null']);
    expect(await refs({ label: 'backend' })).toEqual(['shop/lexer ada']);
    expect(await refs({ unclaimed: true })).toEqual(['other/a null', 'shop/docs null']);
    await on.call('archive_plan', { plan: 'other' });
    expect(await refs()).toEqual(['shop/lexer ada', 'shop/docs null']);
    for (const plan of ['nowhere', 'other']) {
      expect(await on.call('next_ready_nodes', { plan })).toMatchObject({ status: 404, code: 'plan_not_found' });
    }
  },
);

verifies.each(transports)(
  [
    'claim-next:takes-the-best',
    'claim-next:filters',
    'claim-next:unbound-only-when-asked',
    'claim-next:nothing-ready',
    'claim-next:one-step',
    'claim-next:mcp',
  ],
  'claim_next takes the best ready node in one step',
  async (door) => {
    await using on = await work(door);
    const issue = { kind: 'issue', issue: 'acme/shop#1' };
    await on.call('create_plan', {
      document: { plan: 'many', nodes: ['a', 'b', 'c'].map((id) => ({ id, binding: issue })) },
    });
    const taken = await Promise.all(
      ['ada', 'bob', 'eve'].map((agent) => on.call('claim_next', { agent, plan: 'many' })),
    );
    expect(new Set(taken.map(({ node }) => node.ref))).toEqual(new Set(['many/a', 'many/b', 'many/c']));
    expect((await on.call('claim_next', { agent: 'ada' })).node.ref).toBe('shop/lexer');
    expect(await on.call('claim_next', { agent: 'ada' })).toEqual({ claimed: false, reason: 'nothing_ready' });
    expect(await on.call('claim_next', { agent: 'ada', unbound: true, repository: 'acme/shop' })).toMatchObject({
      reason: 'nothing_ready',
    });
    expect((await on.call('claim_next', { agent: 'ada', unbound: true })).node.ref).toBe('shop/docs');
  },
);
