import { expect } from 'vitest';
import { lexer, parser, platform, shop } from '../coordination/shop.ts';
import { startWithTransport } from '../coordination/start-with-transport.ts';
import { transports, verifies } from '../verifies.ts';

const signOff = { kind: 'signOff' };

verifies.each(transports)(
  [
    'plan:archive',
    'plan:archive-answer',
    'plan:archive-idempotent',
    'plan:archive-keeps-history',
    'plan:archived-reads',
    'plan:archived-authoring-409',
    'plan:create-archived-409',
    'plans:list-active',
    'plans:list-archived',
    'plans:list-members',
    'plans:counts-sum-to-nodes',
    'plans:ready-counts-flag',
    'plans:newest-change-first',
    'archived-dependency:else-blocks',
  ],
  'an archived plan is out of the way, tells who depends on it, and can still be read',
  async (door) => {
    await using on = await startWithTransport(door);
    await on.call('create_plan', { document: shop });
    on.clock.advance(1000);
    await on.call('create_plan', { document: platform });
    await on.call('claim_node', { ...lexer, agent: 'ada' });
    const listed = await on.call('list_plans', {});
    expect(listed.map(({ slug }: { slug: string }) => slug)).toEqual(['platform', 'Shop']);
    expect(listed[1]).toEqual({
      slug: 'Shop',
      title: 'Checkout 2.0',
      repository: 'acme/shop',
      archived: false,
      nodes: 2,
      counts: { done: 0, running: 0, failed: 0, claimed: 1, submitted: 0, blocked: 1, ready: 0 },
      ready: 1,
      claims: 1,
      budget: null,
      spent: { tokens: 0, claims: 1 },
      source: 'api',
      updatedAt: '2026-01-01T09:00:00.000Z',
    });
    const archived = {
      slug: 'Shop',
      archivedAt: '2026-01-01T09:00:01.000Z',
      dependents: ['platform/sdk'],
      claims: ['Shop/lexer'],
    };
    expect(await on.call('archive_plan', { plan: 'shop', by: 'ada' })).toEqual(archived);
    on.clock.advance(1000);
    expect(await on.call('archive_plan', { plan: 'shop' })).toEqual(archived);
    expect(await on.call('plan_history', { plan: 'shop', only: 'authoring' })).toHaveLength(2);
    expect(await on.call('get_plan', { plan: 'shop' })).toMatchObject({ archived: true, version: 2 });
    expect((await on.call('list_plans', { archived: true })).map(({ slug }: { slug: string }) => slug)).toEqual([
      'Shop',
    ]);
    expect(await on.call('list_plans', {})).toHaveLength(1);
    expect(await on.call('add_node', { plan: 'shop', id: 'x' })).toMatchObject({ status: 409, code: 'plan_archived' });
    expect(await on.call('create_plan', { document: shop })).toMatchObject({ status: 409, code: 'plan_exists' });
    const [sdk] = (await on.call('plan_status', { plan: 'platform' })).nodes;
    expect(sdk.why).toContain('the plan Shop is archived');
  },
);

verifies.each(transports)(
  [
    'bind:answers',
    'bind:null-unbinds',
    'binding:sign-off-done-when-signed',
    'binding:suite-effective-tag-in-views',
    'sign-off:answers',
    'sign-off:revoke',
    'sign-off:other-binding-400',
    'sign-off:other-person-400',
    'sign-off:self-400',
    'history:signed-off',
    'evidence:provenance',
    'archived-dependency:by-last-evidence',
  ],
  'a node is bound to what proves it, and a person may sign it off',
  async (door) => {
    await using on = await startWithTransport(door);
    await on.call('create_plan', { document: shop });
    await on.call('create_plan', { document: platform });
    const suite = await on.call('bind_node', { ...parser, binding: { kind: 'suite' } });
    expect(suite).toMatchObject({
      unbound: false,
      binding: { kind: 'suite', tag: 'Shop/parser' },
      evidence: { state: 'notObserved' },
    });
    expect((await on.call('get_plan', { plan: 'shop' })).nodes[1].binding).toEqual({ kind: 'suite' });
    expect(await on.call('sign_off_node', { ...parser, by: 'eve' })).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
    expect(await on.call('bind_node', { ...parser, binding: null })).toMatchObject({ unbound: true, evidence: null });
    await on.call('bind_node', { ...lexer, binding: { kind: 'signOff', who: 'eve' } });
    expect(await on.call('sign_off_node', { ...lexer, by: 'bob' })).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
    const signed = await on.call('sign_off_node', { ...lexer, by: 'eve', note: 'reads well' });
    expect(signed).toMatchObject({ status: 'done', evidence: { state: 'signed', provenance: 'asserted' } });
    expect(await on.call('sign_off_node', { ...lexer, by: 'eve', revoke: true })).toMatchObject({ status: 'ready' });
    await on.call('claim_node', { ...lexer, agent: 'eve' });
    await on.call('release_node', { ...lexer, agent: 'eve' });
    expect(await on.call('sign_off_node', { ...lexer, by: 'eve' })).toMatchObject({
      status: 400,
      code: 'self_sign_off',
    });
    await on.call('bind_node', { ...lexer, binding: signOff });
    await on.call('sign_off_node', { ...lexer, by: 'ida' });
    await on.call('archive_plan', { plan: 'shop' });
    expect((await on.call('plan_status', { plan: 'platform' })).nodes[0]).toMatchObject({ ready: true });
    const story = await on.call('plan_history', { plan: 'shop', only: 'evidence' });
    expect(story.map(({ data }: { data: { revoked: boolean } }) => data.revoked)).toEqual([false, true, false]);
  },
);

verifies.each(transports)(
  [
    'history:every-event',
    'history:members',
    'history:oldest-first',
    'history:merged',
    'history:version-is-authoring',
    'history:provenance',
    'history:by-agent',
    'history:by-names-actor',
    'history:says',
    'history:after',
    'history:limit',
    'history:only',
    'history:empty-filter',
    'history:authoring-types',
    'history:claim-types',
    'history:renewed',
    'history:node-changed-from-to',
    'history:none-404',
  ],
  'the history tells the whole story of a plan, one sentence each',
  async (door) => {
    await using on = await startWithTransport(door);
    expect(await on.call('plan_history', { plan: 'shop' })).toMatchObject({ status: 404, code: 'no_history' });
    await on.call('create_plan', { document: platform });
    await on.call('create_plan', { document: shop, by: 'ida' });
    expect(await on.call('plan_history', { plan: 'shop', only: 'claims' })).toEqual([]);
    const by = 'ida';
    await on.call('update_node', { ...parser, title: 'Parse', by });
    await on.call('add_node', { plan: 'shop', id: 'totals', by });
    await on.call('add_dependency', { plan: 'shop', node: 'totals', dependsOn: 'lexer', by });
    await on.call('remove_dependency', { plan: 'shop', node: 'totals', dependsOn: 'lexer', by });
    await on.call('bind_node', { plan: 'shop', node: 'totals', binding: signOff, by });
    await on.call('claim_node', { ...lexer, agent: 'ada', session: 's1' });
    await on.call('claim_node', { ...lexer, agent: 'ada' });
    await on.call('report_node', { ...lexer, agent: 'ada', note: 'half way' });
    await on.call('release_node', { ...lexer, agent: 'ada' });
    await on.call('sign_off_node', { ...lexer, by });
    await on.call('remove_node', { plan: 'shop', node: 'totals', by });
    await on.call('import_plan', { plan: 'shop', document: { ...shop, title: 'Other' }, by });
    await on.call('archive_plan', { plan: 'shop', by });
    await on.call('import_plan', { plan: 'shop', document: { ...shop, title: 'Other' }, by });
    const story = await on.call('plan_history', { plan: 'shop' });
    const told = story.map(({ sequence, version, type, by: who, says }: Record<string, unknown>) =>
      [sequence, version, type, who, says].join(' | '),
    );
    expect(told).toEqual([
      '1 | 1 | plan_created | ida | ida created the plan with 2 nodes.',
      '2 | 2 | node_changed | ida | ida changed title of parser.',
      '3 | 3 | node_added | ida | ida added totals.',
      '4 | 4 | dependency_added | ida | ida made totals depend on lexer.',
      '5 | 5 | dependency_removed | ida | ida removed the dependency of totals on lexer.',
      '6 | 6 | node_bound | ida | ida bound totals to signOff.',
      '7 | 6 | node_claimed | ada | ada claimed lexer until 2026-01-01T09:30:00.000Z.',
      '8 | 6 | node_claimed | ada | ada renewed the claim of lexer until 2026-01-01T09:30:00.000Z.',
      '9 | 6 | claim_reported | ada | ada reported on lexer: half way.',
      '10 | 6 | claim_released | ada | ada released lexer.',
      '11 | 6 | node_signed_off | ida | ida signed off lexer.',
      '12 | 7 | node_removed | ida | ida removed totals.',
      '13 | 8 | plan_changed | ida | ida changed title of the plan.',
      '14 | 9 | node_changed | ida | ida changed title of parser.',
      '15 | 10 | plan_archived | ida | ida archived the plan.',
      '16 | 11 | plan_restored | ida | ida restored the plan.',
    ]);
    expect(story[1].data).toEqual({ id: 'parser', fields: { title: { from: 'parser', to: 'Parse' } } });
    expect(story[6].data).toMatchObject({
      id: 'lexer',
      agent: 'ada',
      session: 's1',
      fence: Date.parse(story[6].at),
      renewed: false,
    });
    expect(story[7].data).toMatchObject({ renewed: true });
    expect(story.every(({ provenance }: { provenance: string }) => provenance === 'asserted')).toBe(true);
    const later = await on.call('plan_history', { plan: 'shop', after: 14, limit: 1 });
    expect(later.map(({ sequence }: { sequence: number }) => sequence)).toEqual([15]);
    expect(await on.call('plan_history', { plan: 'shop', only: 'claims' })).toHaveLength(4);
  },
);
