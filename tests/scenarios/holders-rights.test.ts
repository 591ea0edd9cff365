import { expect } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { startWithTransport } from '../coordination/start-with-transport.ts';
import { startGitHub } from '../github-server.ts';
import { start } from '../start.ts';
import { startClosed } from '../tokens.ts';
import { verifies } from '../verifies.ts';

const transports = ['rest', 'mcp', 'socket'] as const;
const signOff = { kind: 'signOff' };
const document = {
  plan: 'shop',
  repository: 'acme/shop',
  nodes: [
    { id: 'lexer' },
    { id: 'parser', binding: signOff, dependsOn: ['lexer'] },
    { id: 'review', binding: { kind: 'pullRequest', repository: 'acme/shop' } },
    { id: 'commit', binding: { kind: 'commit' } },
  ],
};
const lexer = { plan: 'shop', node: 'lexer', agent: 'ada' };

verifies.each(transports)(
  ['split:adds', 'split:one-step', 'split:holder-only'],
  'a holder splits its node: the parts are added, the node waits for them and is released, in one step',
  async (door) => {
    await using on = await startWithTransport(door);
    const { call } = on;
    await call('create_plan', { document });
    const nodes = [
      { id: 'numbers', title: 'Lex numbers', binding: signOff },
      { id: 'words', dependsOn: ['Numbers'], binding: signOff },
    ];
    expect(await call('split_node', { ...lexer, nodes })).toMatchObject({ code: 'not_holder' });
    const { fence } = await call('claim_node', lexer);
    await call('report_node', { ...lexer, note: 'too large' });
    const stale = await call('split_node', { ...lexer, nodes, fence: fence - 1 });
    expect(stale).toMatchObject({ code: 'stale_fence' });
    const cycle = await call('split_node', { ...lexer, nodes: [{ id: 'x', dependsOn: ['parser'] }] });
    expect(cycle).toMatchObject({ code: 'cycle' });
    expect(await call('split_node', { ...lexer, nodes: [{ id: 'x', dependsOn: ['y'] }] })).toMatchObject({
      code: 'invalid_request',
    });
    const answer = await call('split_node', { ...lexer, nodes, fence });
    expect(answer).toMatchObject({
      split: true,
      nodes: ['shop/numbers', 'shop/words'],
      node: { status: 'blocked', ready: false, claimedBy: null },
    });
    const node = await call('node_status', { plan: 'shop', node: 'lexer' });
    expect(node.dependsOn.map(({ ref }: { ref: string }) => ref)).toEqual(['shop/numbers', 'shop/words']);
    expect(node).toMatchObject({ attempts: { failed: 0 }, lastClaim: { how: 'released', note: 'too large' } });
    const words = await call('node_status', { plan: 'shop', node: 'words' });
    expect(words).toMatchObject({ status: 'blocked', dependsOn: [{ ref: 'shop/numbers' }] });
    const history: { type: string; says: string }[] = await call('plan_history', { plan: 'shop' });
    expect(history.map(({ type }) => type)).toEqual(['plan_created', 'node_claimed', 'claim_reported', 'node_split']);
    expect(history.at(-1)?.says).toBe('ada split lexer into numbers, words.');
    for (const id of ['numbers', 'words']) await call('sign_off_node', { plan: 'shop', node: id, by: 'eve' });
    expect(await call('node_status', { plan: 'shop', node: 'lexer' })).toMatchObject({ status: 'ready' });
  },
);

verifies(
  ['holder:adds-dependencies', 'holder:binds', 'split:holder-only'],
  'with the work scope one may split, bind to what others decide, and add a dependency to what one holds, and to nothing else',
  async () => {
    await using service = await startClosed();
    const [ada, bob, eve] = [
      await service.named('ada', ['work']),
      await service.named('bob', ['work']),
      await service.named('eve', ['author']),
    ];
    const at = '/api/plans/shop/nodes';
    await eve.call('POST', '/api/plans', document);
    const answer = async (caller: typeof ada, path: string, body: object, query = '') => {
      const { status, body: answered } = await caller.call('POST', `${at}/${path}${query}`, body);
      return status === 200 ? 200 : `${status} ${answered.code}`;
    };
    const pull = { kind: 'pullRequest', pullRequest: 'acme/shop#7' };
    const onReview = { dependsOn: 'review' };
    expect(await answer(ada, 'lexer/bind', pull)).toBe('403 scope_required');
    expect(await answer(ada, 'lexer/depends-on', onReview)).toBe('403 scope_required');
    const { fence } = (await ada.call('POST', `${at}/lexer/claim`, {})).body;
    await ada.call('POST', `${at}/review/claim`, {});
    await ada.call('POST', `${at}/commit/claim`, {});

    expect(await answer(bob, 'lexer/depends-on', onReview)).toBe('403 scope_required');
    expect(await answer(ada, 'lexer/depends-on', { ...onReview, fence: fence - 1 })).toBe('409 stale_fence');
    expect(await answer(ada, 'lexer/depends-on', { ...onReview, fence })).toBe(200);
    expect(await answer(ada, 'parser/depends-on', onReview)).toBe('403 scope_required');

    expect(await answer(bob, 'lexer/bind', pull)).toBe('403 scope_required');
    expect(await answer(ada, 'lexer/bind', signOff)).toBe('403 scope_required');
    expect(await answer(ada, 'lexer/bind', { kind: 'suite' })).toBe('403 scope_required');
    expect(await answer(ada, 'lexer/bind', { kind: 'issue', issue: 'acme/other#1' })).toBe('403 scope_required');
    expect(await answer(ada, 'lexer/bind', pull, `?fence=${fence - 1}`)).toBe('409 stale_fence');
    expect(await answer(ada, 'lexer/bind', pull, `?fence=${fence}`)).toBe(200);
    // It is bound now, so it can no longer be bound to another one.
    expect(await answer(ada, 'lexer/bind', { ...pull, pullRequest: 'acme/shop#8' })).toBe('403 scope_required');
    expect(await answer(ada, 'review/bind', { ...pull, pullRequest: 'acme/other#8' })).toBe('403 scope_required');
    expect(await answer(ada, 'review/bind', { ...pull, pullRequest: 'Acme/shop#9' })).toBe(200);
    expect(await answer(ada, 'commit/bind', pull)).toBe('403 scope_required');
    expect(await answer(eve, 'commit/bind', { kind: 'suite' })).toBe(200);
    expect(await answer(ada, 'commit/split', { nodes: [{ id: 'part' }] })).toBe(200);
  },
);

verifies(
  ['holder:binds', 'attempts:forgotten'],
  'what a holder changes of its own node leaves its failed attempts counted',
  async () => {
    await using on = await startWithTransport('rest');
    const { call } = on;
    await call('create_plan', { document });
    await call('claim_node', lexer);
    await call('release_node', { ...lexer, outcome: 'failed' });
    await call('claim_node', lexer);
    await call('add_dependency', { ...lexer, dependsOn: 'review' });
    await call('bind_node', { ...lexer, binding: { kind: 'issue', issue: 'acme/shop#1' } });
    expect((await call('node_status', { plan: 'shop', node: 'lexer' })).attempts.failed).toBe(1);
    await call('bind_node', { plan: 'shop', node: 'lexer', binding: { kind: 'issue', issue: 'acme/shop#2' } });
    expect((await call('node_status', { plan: 'shop', node: 'lexer' })).attempts.failed).toBe(0);
  },
);

verifies.each(transports)(
  ['trailer:told'],
  'who claims a node that a commit or a pull request proves is given the line that names it',
  async (door) => {
    await using on = await startWithTransport(door);
    const { call } = on;
    await call('create_plan', { document });
    for (const node of ['review', 'commit']) {
      const claimed = await call('claim_node', { plan: 'shop', node, agent: 'ada' });
      expect(claimed.trailer).toBe(`Plan-Node: shop/${node}`);
    }
    expect((await call('claim_node', lexer)).trailer).toBeUndefined();
    const { why } = await call('node_status', { plan: 'shop', node: 'commit' });
    expect(why).toContain('Proof: a commit with the line "Plan-Node: shop/commit".');
  },
);

verifies(
  ['pull-request:by-branch', 'pull-request:by-trailer', 'pull-request:one-form'],
  'a pull request is found by its branch, or by the line that names the node, and the evidence names its number',
  async () => {
    const clock = createSettableClock();
    await using gitHub = await startGitHub(clock);
    await using service = await start({ clock, settings: { GitHubUrl: gitHub.url } });
    const look = async () => {
      clock.advance(60_000);
      await clock.tick();
    };
    const byRepository = { kind: 'pullRequest', repository: 'acme/shop' };
    const nodes = [
      { id: 'branch', binding: { ...byRepository, branch: 'fix-prices' } },
      { id: 'body', binding: byRepository },
      { id: 'commits', binding: byRepository },
    ];
    await service.call('POST', '/api/plans', { plan: 'p', nodes });
    const evidence = async (id: string) => {
      const { status, evidence: seen } = (await service.call('GET', `/api/plans/p/nodes/${id}`)).body;
      return `${status}: ${seen.detail}`;
    };
    await look();
    expect(await evidence('branch')).toBe('ready: no pull request of acme/shop from fix-prices was found yet');
    expect(await evidence('body')).toBe('ready: no pull request of acme/shop with its trailer was found yet');
    gitHub.set(21, { state: 'closed', pull: true, branch: 'fix-prices' });
    gitHub.set(22, { state: 'open', pull: true, branch: 'fix-prices' });
    gitHub.set(23, { state: 'open', pull: true, branch: 'a', body: 'Does it.\r\n\r\nplan-node: P/Body\r\n' });
    gitHub.set(24, { state: 'open', pull: true, branch: 'b', commits: ['Begin', 'Do it\n\nPlan-Node: p/commits'] });
    await look();
    expect(await evidence('branch')).toBe('ready: pull request #22 is open');
    expect(await evidence('body')).toBe('ready: pull request #23 is open');
    expect(await evidence('commits')).toBe('ready: pull request #24 is open');
    const asked = gitHub.counts.asked;
    await look();
    // Nothing changed: one request for the branch and one for the list, both answered with 304.
    expect([gitHub.counts.asked - asked, gitHub.counts.unchanged]).toEqual([2, 2]);
    for (const [number, branch] of [
      [22, 'fix-prices'],
      [23, 'a'],
      [24, 'b'],
    ] as const) {
      const body = number === 23 ? { body: 'Plan-Node: p/body' } : {};
      gitHub.set(number, { state: 'closed', merged: true, pull: true, branch, ...body });
    }
    await look();
    expect(await evidence('branch')).toBe('done: pull request #22 was merged');
    expect(await evidence('body')).toBe('done: pull request #23 was merged');
    expect(await evidence('commits')).toBe('done: pull request #24 was merged');
    for (const wrong of [{ kind: 'pullRequest' }, { ...byRepository, pullRequest: 'acme/shop#1' }]) {
      const { body } = await service.call('POST', '/api/plans/p/nodes/body/bind', wrong);
      expect(body.code).toBe('invalid_request');
    }
  },
);
