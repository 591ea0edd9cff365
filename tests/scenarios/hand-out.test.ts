import { expect } from 'vitest';
import { createAgentHome } from '../agents/agent-home.ts';
import type { Door } from '../coordination/call-through.ts';
import { startWithTransport } from '../coordination/start-with-transport.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

const transports = ['rest', 'mcp', 'socket'] as const;
const binding = { kind: 'signOff' };

async function work(door: Door, document: object) {
  const staged = await startWithTransport(door);
  const { call } = staged;
  await call('create_plan', { document });
  return {
    ...staged,
    async ready(): Promise<string[]> {
      const nodes: { id: string }[] = await call('next_ready_nodes', {});
      return nodes.map(({ id }) => id);
    },
    async next(more: object = {}): Promise<string | null> {
      const answer = await call('claim_next', { agent: 'ada', ...more });
      return answer.claimed ? answer.node.id : null;
    },
  };
}

verifies.each(transports)(
  ['priority:order', 'priority:inherited', 'priority:written'],
  'what is urgent comes first, and with it whatever it waits for',
  async (door) => {
    await using on = await work(door, {
      plan: 'shop',
      nodes: [
        { id: 'wide', binding },
        { id: 'wide-1', binding, dependsOn: ['wide'] },
        { id: 'wide-2', binding, dependsOn: ['wide'] },
        { id: 'later', binding, priority: 'low' },
        { id: 'base', binding, priority: 'low' },
        { id: 'middle', binding, dependsOn: ['base'] },
        { id: 'hot', binding, dependsOn: ['middle'], priority: 'urgent' },
        { id: 'soon', binding, priority: 'high' },
      ],
    });
    const priorities = async () => {
      const { nodes } = await on.call('plan_status', { plan: 'shop' });
      return Object.fromEntries(nodes.map(({ id, priority }: Record<string, string>) => [id, priority]));
    };
    expect(await on.ready()).toEqual(['base', 'soon', 'wide', 'later']);
    expect(await priorities()).toMatchObject({
      base: 'urgent',
      middle: 'urgent',
      hot: 'urgent',
      later: 'low',
      wide: 'normal',
    });
    // Only explicit values count: the plan's "low" applies to nodes without a priority, and such nodes do not raise it.
    await on.call('import_plan', { plan: 'shop', document: { priority: 'low' }, mode: 'seed' });
    expect(await priorities()).toMatchObject({ wide: 'low', soon: 'high', base: 'urgent' });
    await on.call('update_node', { plan: 'shop', node: 'hot', priority: null });
    expect(await on.ready()).toEqual(['soon', 'base', 'wide', 'later']);
    await on.call('update_node', { plan: 'shop', node: 'wide-2', priority: 'urgent' });
    expect(await on.ready()).toEqual(['wide', 'soon', 'base', 'later']);
    expect(await on.next()).toBe('wide');
    const authored = await on.call('get_plan', { plan: 'shop' });
    const written = authored.nodes.map(({ priority }: { priority: string | null }) => priority);
    expect([authored.priority, ...written]).toEqual(['low', null, null, 'urgent', 'low', 'low', null, null, 'high']);
  },
);

verifies.each(transports)(
  ['max-claims:plan', 'max-claims:repository', 'max-claims:by-name', 'back-off:why'],
  'claim_next hands out no more of a plan and of a repository at once than they allow',
  async (door) => {
    const nodes = ['a', 'b', 'c', 'd'].map((id) => ({ id, binding }));
    await using on = await work(door, { plan: 'shop', repository: 'acme/shop', maxClaims: 2, nodes });
    expect([await on.next(), await on.next(), await on.next()]).toEqual(['a', 'b', null]);
    const refused = await on.call('claim_next', { agent: 'ada' });
    expect(refused.why).toBe(
      'Skipped: shop/c (shop has 2 of at most 2 claims), shop/d (shop has 2 of at most 2 claims).',
    );
    const named = await on.call('claim_node', { plan: 'shop', node: 'c', agent: 'bob' });
    expect(named.readyWarning).toEqual({ message: 'Over the limit: shop has 2 of at most 2 claims.', waitingFor: [] });
    const renewed = await on.call('claim_node', { plan: 'shop', node: 'c', agent: 'bob' });
    expect([renewed.renewed, renewed.readyWarning]).toEqual([true, null]);
    for (const [node, agent] of [
      ['a', 'ada'],
      ['b', 'ada'],
      ['c', 'bob'],
    ])
      await on.call('release_node', { plan: 'shop', node, agent });

    await on.call('declare_repository', { owner: 'Acme', name: 'Shop', maxClaims: 1 });
    await on.call('create_plan', {
      document: { plan: 'other', nodes: [{ id: 'x', binding, repository: 'ACME/shop' }] },
    });
    expect([await on.next(), await on.next(), await on.next()]).toEqual(['a', null, null]);
    const repository = await on.call('get_repository', { owner: 'acme', name: 'shop' });
    expect(repository.maxClaims).toBe(1);
    await on.call('declare_repository', { owner: 'Acme', name: 'Shop', maxClaims: null });
    expect(await on.next()).toBe('b');
  },
);

verifies(
  ['budget:spent', 'budget:parked'],
  'what sessions use during their claims is counted, live ones included, and a used-up budget parks the node or the plan',
  async () => {
    await using home = await createAgentHome();
    await using service = await start({ home: home.root, settings: { SessionsPath: home.config, HostName: 'box' } });
    const shop = await home.repository('shop', 'acme/shop');
    const session = await home.session(1, shop);
    let input = 0;
    const answers = async (tokens: number) => {
      const usage = { input_tokens: tokens, cache_read_input_tokens: 9_999, output_tokens: 0 };
      await session.appendRecord({
        message: { id: `msg_${tokens}`, model: 'claude-opus-9', usage, stop_reason: 'tool_use', content: [] },
      });
      input += tokens;
      const counted = async () => {
        // The next poll finds a change that no folder watch reported.
        service.clock.advance(3_000);
        await service.clock.tick();
        return (await service.call('GET', `/api/agents/${session.sessionId}`)).body;
      };
      await expect.poll(counted).toMatchObject({ tokens: { input } });
    };
    await session.appendRecord({ type: 'user', message: { role: 'user', content: 'Take the next node.' } });
    await session.reportStatus('busy');
    await answers(1_000);
    const nodes = [
      { id: 'a', binding, budget: { tokens: 2_500 } },
      { id: 'b', binding },
    ];
    await service.call('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', budget: { tokens: 6_000 }, nodes });
    const at = '/api/plans/p/nodes';
    const node = async (id: string) => (await service.call('GET', `${at}/${id}`)).body;
    const take = async (id: string) => {
      await service.call('POST', `${at}/${id}/claim`, { agent: 'ada', session: session.sessionId });
      const health = async () => {
        service.clock.advance(1_000);
        await service.clock.tick();
        return (await node(id)).claim.health;
      };
      await expect.poll(health).toBe('held');
    };
    await take('a');
    await answers(2_000);
    expect(await node('a')).toMatchObject({ spent: { tokens: 2_000, claims: 1 }, parked: null });
    await answers(700);
    await service.call('POST', `${at}/a/release`, { agent: 'ada' });
    expect(await node('a')).toMatchObject({
      spent: { tokens: 2_700, claims: 1 },
      parked: 'budget',
      budget: { tokens: 2_500 },
    });
    expect((await node('a')).why).toContain('Parked: its budget is used up.');
    const next = (await service.call('POST', '/api/plans/ready/claim', { agent: 'bob' })).body;
    expect([next.node.id, next.why]).toEqual(['b', 'Skipped: p/a (its budget is used up).']);
    await service.call('POST', `${at}/b/release`, { agent: 'bob' });
    await take('b');
    await answers(3_400);
    // The tokens of a live claim: nothing was written since.
    const { spent } = (await service.call('GET', '/api/plans/p/status')).body;
    expect(spent).toEqual({ tokens: 6_100, claims: 3 });
    await service.call('POST', `${at}/b/release`, { agent: 'ada' });
    const nothing = (await service.call('POST', '/api/plans/ready/claim', { agent: 'bob' })).body;
    expect(nothing).toMatchObject({ claimed: false, why: expect.stringContaining('the budget of p is used up') });
    const details = (await service.call('GET', '/api/needs')).body.needs.flatMap(
      ({ kind, detail }: Record<string, string>) => (kind === 'node_parked' ? [detail] : []),
    );
    expect(details).toEqual([
      '6,100 of 6,000 tokens are used. 2 ready nodes are not handed out. Raise the budget of the plan.',
    ]);
    await service.call('PUT', '/api/plans/p?mode=seed', { budget: { tokens: 100_000 } });
    expect((await service.call('GET', '/api/needs')).body.needs).toMatchObject([
      { kind: 'node_parked', ref: 'p/a', detail: '2,700 of 2,500 tokens are used. Raise the budget of the node.' },
      { kind: 'sign_off_awaited', ref: 'p/b' },
    ]);
    await service.call('PUT', `${at}/a`, { budget: null });
    expect(await node('a')).toMatchObject({ parked: null, budget: null });
  },
);
