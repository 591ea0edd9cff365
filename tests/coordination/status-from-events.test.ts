import { expect } from 'vitest';
import {
  evidenceAppend,
  type Observation,
  observeEvidence,
} from '../../packages/service/src/coordination/evidence/decide.ts';
import { nodeKey } from '../../packages/service/src/kernel/streams.ts';
import { verifies } from '../verifies.ts';
import { type InMemoryWork, openInMemoryWork } from './in-memory-work.ts';

const issue = { kind: 'issue', issue: 'acme/shop#1' };
const suite = { kind: 'suite' };
const nodes = [
  { id: 'a', binding: suite },
  { id: 'b', binding: issue, dependsOn: ['a'] },
  { id: 'c', binding: issue, dependsOn: ['b'] },
];

/** Does what an observer does after it has checked a node. */
async function see({ ctx, log }: InMemoryWork, node: string, seen: Observation): Promise<void> {
  await log.commit(() => {
    const { binding } = ctx.plans.find('p')?.nodes.get(node) ?? {};
    if (!binding) throw new Error(`${node} is not bound`);
    const ref = { plan: 'p', node };
    const event = observeEvidence(
      { ref, binding, evidence: ctx.workState.evidence.of(nodeKey('p', node)) },
      binding,
      seen,
    );
    return { append: event ? [evidenceAppend(ref, event, `observer:${binding.kind}`)] : [], answer: () => null };
  });
}

async function stage() {
  const on = await openInMemoryWork();
  await on.call('create_plan', { document: { plan: 'p', nodes } });
  const view = async (id: string) =>
    (await on.call('plan_status', { plan: 'p' })).nodes.find((node: { id: string }) => node.id === id);
  const refs = async () => (await on.call('next_ready_nodes', {})).map(({ ref }: { ref: string }) => ref);
  return { ...on, view, refs, see: (node: string, seen: Observation) => see(on, node, seen) };
}

verifies(
  [
    'status:first-that-applies',
    'status:running',
    'status:failed',
    'status:claimed',
    'status:ready-flag',
    'status:claimed-may-be-ready',
    'status:failed-offered-again',
    'status:derived',
    'evidence:turns',
    'evidence:done-stays-while-running',
    'evidence:lost-sight-is-told',
    'binding:issue-done-when-closed',
  ],
  'the status is the first that applies, derived from evidence, lease and dependencies',
  async () => {
    const { call, view, refs, see } = await stage();
    expect(await view('a')).toMatchObject({ status: 'ready', ready: true });
    expect(await view('b')).toMatchObject({ status: 'blocked', ready: false });
    await call('claim_node', { plan: 'p', node: 'a', agent: 'ada' });
    expect(await view('a')).toMatchObject({ status: 'claimed', ready: true });
    await see('a', { state: 'failed', detail: 'run r1 failed', runId: 'r1' });
    expect(await view('a')).toMatchObject({
      status: 'failed',
      ready: true,
      why: expect.stringContaining('offered again'),
    });
    expect(await refs()).toEqual(['p/a']);
    await see('a', { state: 'running', detail: 'run r2 is live', runId: 'r2' });
    expect(await view('a')).toMatchObject({
      status: 'running',
      ready: false,
      evidence: { state: 'running', runId: 'r2' },
    });
    expect(await refs()).toEqual([]);
    await see('a', { state: 'passed', detail: 'run r2 passed' });
    expect(await view('a')).toMatchObject({ status: 'done', ready: false });
    expect(await refs()).toEqual(['p/b']);
    await see('a', { state: 'running', detail: 'run r3 is live', runId: 'r3' });
    expect(await view('a')).toMatchObject({ status: 'done' });
    await see('a', { state: 'passed', detail: 'run r3 passed' });
    await see('b', { state: 'closed', detail: 'closed by eve' });
    expect(await refs()).toEqual(['p/c']);
    await see('b', { state: null, detail: 'rate limited until 10:00' });
    expect(await view('b')).toMatchObject({ status: 'done', why: expect.stringContaining('rate limited until 10:00') });
    await see('b', { state: 'open', detail: 'reopened' });
    expect(await view('b')).toMatchObject({ status: 'ready' });
    expect(await refs()).toEqual(['p/b']);
  },
);

verifies(
  ['history:by-observer', 'history:provenance', 'history:evidence-on-change-only'],
  'evidence stands in the history as observed, and only when it changes',
  async () => {
    const { call, see } = await stage();
    for (const detail of ['closed by eve', 'closed by eve'])
      await see('b', { state: 'closed', detail, url: 'https://x/1' });
    const story = await call('plan_history', { plan: 'p', only: 'evidence' });
    expect(story).toMatchObject([
      {
        type: 'evidence_observed',
        by: 'observer:issue',
        provenance: 'observed',
        version: 1,
        data: { id: 'b', from: 'notObserved', to: 'closed', detail: 'closed by eve', url: 'https://x/1', runId: null },
        says: 'b went from not observed to closed: closed by eve.',
      },
    ]);
  },
);

verifies(
  ['leverage:counts-not-done-dependents', 'leverage:across-active-plans', 'leverage:done-ones-are-links'],
  'leverage counts open dependents in all active plans, through done ones too',
  async () => {
    const { call, view, see } = await stage();
    await call('create_plan', {
      document: {
        plan: 'q',
        nodes: [
          { id: 'x', dependsOn: ['p/c'] },
          { id: 'y', dependsOn: ['x', 'p/a'] },
        ],
      },
    });
    expect((await view('a')).leverage).toBe(4);
    await see('b', { state: 'closed', detail: '' });
    expect((await view('a')).leverage).toBe(3);
    await call('archive_plan', { plan: 'q' });
    expect((await view('a')).leverage).toBe(1);
    expect((await view('c')).leverage).toBe(0);
  },
);

verifies(
  [
    'order:leverage-first',
    'order:then-longest-path',
    'order:path-counts-estimates',
    'order:then-added-earliest',
    'order:then-by-name',
    'order:deterministic',
  ],
  'ready order: leverage, then the longest remaining path, then age, then name',
  async () => {
    const { call, refs } = await openInMemoryWork().then((on) => ({
      ...on,
      refs: async () => (await on.call('next_ready_nodes', {})).map(({ ref }: { ref: string }) => ref),
    }));
    const first = [
      { id: 'old-b' },
      { id: 'old-a' },
      { id: 'long', estimateMinutes: 61 },
      { id: 'lever' },
      { id: 'wait', dependsOn: ['lever'] },
    ];
    await call('create_plan', { document: { plan: 'z', nodes: first } });
    await call('create_plan', { document: { plan: 'm', nodes: [{ id: 'young' }] } });
    const expected = ['z/lever', 'z/long', 'z/old-a', 'z/old-b', 'm/young'];
    expect(await refs()).toEqual(expected);
    expect(await refs()).toEqual(expected);
    await call('update_node', { plan: 'm', node: 'young', estimateMinutes: 500 });
    expect((await refs())[1]).toBe('m/young');
  },
);

verifies(
  [
    'claim-view:members',
    'claim-view:previous',
    'claim-view:session-and-session-id',
    'fence:grows',
    'last-claim:kept',
    'last-claim:how',
  ],
  'a claim shows all its members, and the claim before it',
  async () => {
    const { call } = await stage();
    const ask = { plan: 'p', node: 'a' };
    await call('claim_node', { ...ask, agent: 'ada', session: 's1' });
    await call('report_node', { ...ask, agent: 'ada', note: 'for the next' });
    await call('release_node', { ...ask, agent: 'ada' });
    const { node, fence } = await call('claim_node', { ...ask, agent: 'bob', view: 'full' });
    const at = '2026-01-01T09:00:00.000Z';
    const previous = { agent: 'ada', session: 's1', note: 'for the next', claimedAt: at, endedAt: at, how: 'released' };
    expect(node.claim).toEqual({
      agent: 'bob',
      session: null,
      note: null,
      progress: null,
      claimedAt: at,
      expiresAt: '2026-01-01T09:30:00.000Z',
      fence: Date.parse(at) + 1,
      health: 'unlinked',
      correlation: null,
      linkedBy: null,
      reason: 'no_repository',
      sessionId: null,
    });
    expect(node.lastClaim).toEqual({
      ...previous,
      health: 'unlinked',
      reason: 'session_not_observed',
      tokens: null,
    });
    expect(fence).toBe(Date.parse(at) + 1);
  },
);

verifies(
  'holder:live-other-session-is-not',
  'the same label in another session holds nothing while the claim’s own session is alive',
  async () => {
    const { call, refusal } = await openInMemoryWork();
    await call('create_plan', { document: { plan: 'p', nodes } });
    const ask = { plan: 'p', node: 'a', agent: 'ada' };
    await call('claim_node', { ...ask, session: 's1' });
    const other = { ...ask, session: 's2' };
    expect(await call('claim_node', other)).toMatchObject({ claimed: false, heldBy: 'ada' });
    expect([await refusal('report_node', other), await refusal('release_node', other)]).toEqual([
      'not_holder',
      'not_holder',
    ]);
    expect(await call('report_node', { ...ask, session: 's1' })).toMatchObject({ reported: true });
  },
);
