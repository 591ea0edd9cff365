import { expect } from 'vitest';
import { lexer, parser, platform, shop } from '../coordination/shop.ts';
import { startWithTransport } from '../coordination/start-with-transport.ts';
import { start } from '../start.ts';
import { transports, verifies } from '../verifies.ts';

const signOff = { kind: 'signOff' };

verifies.each(transports)(
  [
    'plan:create',
    'plan:full-dag',
    'plan:members',
    'plan:nodes-as-authored',
    'plan:edges',
    'plan:order',
    'names:case-kept',
    'names:case-ignored-on-lookup',
    'reference:own-plan-shortened',
    'reference:bare-inside-own-plan',
    'reference:cross-plan',
    'plan:create-exists-409',
    'plan:unknown-404',
  ],
  'a plan is created from its document and reads as authored',
  async (door) => {
    await using on = await startWithTransport(door);
    const created = await on.call('create_plan', { document: shop, by: 'ada' });
    expect(created).toEqual({
      slug: 'Shop',
      title: 'Checkout 2.0',
      description: null,
      repository: 'acme/shop',
      priority: null,
      maxAttempts: null,
      maxClaims: null,
      budget: null,
      archived: false,
      version: 1,
      createdAt: '2026-01-01T09:00:00.000Z',
      updatedAt: '2026-01-01T09:00:00.000Z',
      source: 'api',
      nodes: [
        {
          id: 'lexer',
          title: 'Write the lexer',
          description: null,
          repository: null,
          labels: [],
          estimateMinutes: null,
          priority: null,
          maxAttempts: null,
          budget: null,
          touches: [],
          uses: [],
          dependsOn: [],
          binding: signOff,
        },
        {
          id: 'parser',
          title: 'parser',
          description: null,
          repository: null,
          labels: ['backend'],
          estimateMinutes: 90,
          priority: null,
          maxAttempts: null,
          budget: null,
          touches: [],
          uses: [],
          dependsOn: ['lexer', 'platform/sdk'],
          binding: null,
        },
      ],
      edges: [
        { from: 'lexer', to: 'parser' },
        { from: 'platform/sdk', to: 'parser' },
      ],
      order: ['lexer', 'parser'],
    });
    expect(await on.call('get_plan', { plan: 'SHOP' })).toEqual(created);
    expect(await on.call('create_plan', { document: { plan: 'shop' } })).toMatchObject({
      status: 409,
      code: 'plan_exists',
    });
    expect(await on.call('get_plan', { plan: 'nowhere' })).toMatchObject({ status: 404, code: 'plan_not_found' });
  },
);

verifies('plan:create-answers-201', 'creating a plan answers 201 with its address', async () => {
  await using service = await start();
  const answer = await service.call('POST', '/api/plans?by=ada', shop);
  expect([answer.status, answer.headers.get('location')]).toEqual([201, '/api/plans/Shop']);
});

verifies.each(transports)(
  [
    'node-view:members',
    'node-view:depends-on',
    'node-view:dependents',
    'node-view:effective-repository',
    'node-view:same-everywhere',
    'reference:full-in-views',
    'reference:unknown-elsewhere-kept',
    'reference:unknown-elsewhere-missing',
    'status:blocked',
    'status:why',
    'binding:unbound-why',
    'binding:unbound-never-done',
    'evidence:null-only-when-unbound',
    'evidence:members',
    'claim-view:live-only',
    'plan-status:members',
    'plan-status:nodes-and-ready-set',
    'json:empty-members-written',
    'document:plan-repository-is-default',
  ],
  'a node shows all that is known of it, and what cannot be found blocks',
  async (door) => {
    await using on = await startWithTransport(door);
    await on.call('create_plan', { document: shop });
    const { nodes, ...plan } = await on.call('plan_status', { plan: 'shop' });
    expect(plan).toEqual({
      slug: 'Shop',
      title: 'Checkout 2.0',
      counts: { done: 0, running: 0, failed: 0, claimed: 0, submitted: 0, blocked: 1, ready: 1 },
      ready: ['lexer'],
      budget: null,
      spent: { tokens: 0, claims: 0 },
    });
    expect(nodes[1]).toEqual({
      plan: 'Shop',
      id: 'parser',
      ref: 'Shop/parser',
      title: 'parser',
      description: null,
      repository: 'acme/shop',
      labels: ['backend'],
      estimateMinutes: 90,
      priority: 'normal',
      attempts: { failed: 0, limit: 5, last: [] },
      parked: null,
      notBefore: null,
      overlaps: 0,
      budget: null,
      touches: [],
      uses: [],
      touched: [],
      spent: { tokens: 0, claims: 0 },
      binding: null,
      status: 'blocked',
      ready: false,
      unbound: true,
      leverage: 0,
      why: 'Waits for Shop/lexer, platform/sdk (cannot be found). Nothing can prove it done: bind it.',
      dependsOn: [
        { ref: 'Shop/lexer', status: 'ready', done: false, missing: false },
        { ref: 'platform/sdk', status: null, done: false, missing: true },
      ],
      dependents: [],
      claim: null,
      claimedBy: null,
      lastClaim: null,
      submission: null,
      evidence: null,
    });
    expect(nodes[0]).toMatchObject({
      dependents: ['Shop/parser'],
      leverage: 1,
      evidence: { state: 'notSigned', observedAt: null },
    });
    const changed = await on.call('update_node', { ...parser, title: 'Parse' });
    expect(changed).toEqual({ ...nodes[1], title: 'Parse' });
  },
);

verifies.each(transports)(
  [
    'dependency:add',
    'dependency:remove',
    'dependency:already-so-no-event',
    'dependency:cycle-400',
    'dependency:cycle-across-plans',
    'dependency:cycle-shows-path',
    'dependency:self-400',
    'reference:unknown-own-node-400',
    'node:unknown-404',
  ],
  'dependencies are added and removed, and a cycle over several plans is refused with its whole path',
  async (door) => {
    await using on = await startWithTransport(door);
    await on.call('create_plan', { document: shop });
    await on.call('create_plan', { document: platform });
    const refused = await on.call('add_dependency', { ...lexer, dependsOn: 'parser' });
    expect(refused).toMatchObject({ status: 400, code: 'cycle' });
    expect(refused.detail).toMatch(/Shop\/lexer -> Shop\/parser -> (platform\/sdk -> )?Shop\/lexer/);
    const across = await on.call('add_dependency', { ...lexer, dependsOn: 'platform/sdk' });
    expect(across.detail).toContain('Shop/lexer -> platform/sdk -> Shop/lexer');
    expect(await on.call('add_dependency', { ...lexer, dependsOn: 'Lexer' })).toMatchObject({
      code: 'self_dependency',
    });
    expect(await on.call('add_dependency', { ...lexer, dependsOn: 'nothing' })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'dependsOn' }],
    });
    expect(await on.call('add_dependency', { ...lexer, node: 'nothing', dependsOn: 'lexer' })).toMatchObject({
      code: 'node_not_found',
    });
    const { version } = await on.call('get_plan', { plan: 'shop' });
    await on.call('add_dependency', { ...parser, dependsOn: 'shop/lexer' });
    await on.call('remove_dependency', { ...parser, dependsOn: 'platform/other' });
    expect((await on.call('get_plan', { plan: 'shop' })).version).toBe(version);
    const freed = await on.call('remove_dependency', { ...parser, dependsOn: 'platform/sdk' });
    expect(freed.dependsOn).toHaveLength(1);
    const held = await on.call('add_dependency', { ...parser, dependsOn: 'platform/sdk' });
    expect(held.dependsOn).toHaveLength(2);
  },
);

verifies(
  ['dependency:in-body-or-query', 'dependency:body-and-query-differ-400'],
  'a dependency is taken from the body or the query, and from both only when they agree',
  async () => {
    await using service = await start();
    await service.call('POST', '/api/plans', shop);
    const path = '/api/plans/shop/nodes/lexer/depends-on';
    expect((await service.call('POST', `${path}?dependsOn=other/a`)).body.dependsOn).toHaveLength(1);
    expect((await service.call('POST', path, { dependsOn: 'other/b' })).body.dependsOn).toHaveLength(2);
    expect((await service.call('POST', `${path}?dependsOn=other/c`, { dependsOn: 'other/d' })).status).toBe(400);
    expect(
      (await service.call('DELETE', `${path}?dependsOn=other/a`, { dependsOn: 'other/a' })).body.dependsOn,
    ).toHaveLength(1);
    expect((await service.call('DELETE', path, { dependsOn: 'other/b' })).body.dependsOn).toHaveLength(0);
  },
);

verifies.each(transports)(
  [
    'node:add',
    'node:change',
    'node:remove',
    'node:add-exists-409',
    'node:unique-in-plan',
    'node:change-null-clears',
    'node:change-leaves-the-rest',
    'node:change-creates-nothing',
    'node:remove-with-dependents-409',
    'node:remove-claimed-409',
    'node:remove-force-drops-edges',
    'node:remove-force-leaves-missing',
    'node:remove-force-ends-claim',
    'body:authoring-strict',
  ],
  'nodes are added, changed and removed',
  async (door) => {
    await using on = await startWithTransport(door);
    await on.call('create_plan', { document: shop });
    await on.call('create_plan', { document: platform });
    expect(
      await on.call('add_node', { plan: 'shop', id: 'totals', title: 'Totals', dependsOn: ['parser'] }),
    ).toMatchObject({
      ref: 'Shop/totals',
      status: 'blocked',
    });
    expect(await on.call('add_node', { plan: 'shop', id: 'TOTALS' })).toMatchObject({
      status: 409,
      code: 'node_exists',
    });
    expect(await on.call('add_node', { plan: 'shop', id: 'x', dependson: [] })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'dependson', message: expect.stringContaining('dependsOn') }],
    });
    const cleared = await on.call('update_node', { ...parser, estimateMinutes: null });
    expect(cleared).toMatchObject({ estimateMinutes: null, labels: ['backend'], dependsOn: [{}, {}] });
    expect(await on.call('update_node', { ...parser, node: 'nothing', title: 'x' })).toMatchObject({
      code: 'node_not_found',
    });
    expect(await on.call('remove_node', lexer)).toMatchObject({ status: 409, code: 'node_has_dependents' });
    await on.call('claim_node', { ...lexer, agent: 'ada' });
    await on.call('claim_node', { plan: 'shop', node: 'totals', agent: 'ada' });
    expect(await on.call('remove_node', { plan: 'shop', node: 'totals' })).toMatchObject({
      code: 'node_claimed',
      heldBy: 'ada',
    });
    expect(await on.call('remove_node', { ...lexer, force: true })).toEqual({});
    const [first] = (await on.call('plan_status', { plan: 'shop' })).nodes;
    expect(first.dependsOn.map(({ ref }: { ref: string }) => ref)).toEqual(['platform/sdk']);
    const [sdk] = (await on.call('plan_status', { plan: 'platform' })).nodes;
    expect(sdk.dependsOn).toMatchObject([{ missing: true }]);
    await on.call('add_node', { plan: 'shop', id: 'lexer' });
    const back = (await on.call('plan_status', { plan: 'shop' })).nodes.find(
      ({ id }: { id: string }) => id === 'lexer',
    );
    expect(back.lastClaim).toMatchObject({ agent: 'ada', how: 'removed' });
  },
);
