import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { planDocumentSchema } from '../../packages/service/src/coordination/plans/document-schema.ts';
import { start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

const plan = { plan: 'shop', nodes: [{ id: 'lexer' }, { id: 'parser', dependsOn: ['lexer'] }] };
const claim = '/api/plans/shop/nodes/lexer/claim';
const key = (name: string) => ({ 'idempotency-key': name });

verifies(
  [
    'names:case-no-difference',
    'names:reserved-slugs',
    'path:unknown-is-404',
    'path:bad-pattern-is-404',
    'path:bad-pattern-on-create-is-400',
    'path:bad-name-in-body-or-query-is-400',
    'path:differs-from-body-is-400',
    'path:wrong-method-is-405',
    'path:unknown-route-is-404',
  ],
  'names are told apart without case; a bad one is a 404 in a path and a 400 where it would be created',
  async () => {
    await using service = await start();
    const said = async (method: string, path: string, body?: unknown) => {
      const { status, body: told } = await service.call(method, path, body);
      return `${status} ${told.code}`;
    };
    await service.call('POST', '/api/plans', plan);
    expect(await said('POST', '/api/plans', { plan: 'SHOP' })).toBe('409 plan_exists');
    expect(await said('POST', '/api/plans/shop/nodes', { id: 'Lexer' })).toBe('409 node_exists');
    for (const slug of ['ready', 'Rescan', '-x', 'a b', 'x'.repeat(101)]) {
      expect(await said('POST', '/api/plans', { plan: slug })).toBe('400 invalid_request');
      expect(await said('PUT', `/api/plans/${encodeURIComponent(slug)}`, {})).toBe('400 invalid_request');
    }
    for (const slug of ['nowhere', '-x', 'a%20b', 'constructor', '__proto__', '..%2f..']) {
      expect(await said('GET', `/api/plans/${slug}/status`)).toBe('404 plan_not_found');
      expect(await said('POST', `/api/plans/${slug}/nodes/a/claim`, { agent: 'ada' })).toBe('404 plan_not_found');
      expect(await said('POST', `/api/plans/shop/nodes/${slug}/claim`, { agent: 'ada' })).toBe('404 node_not_found');
    }
    expect(await said('POST', '/api/plans/shop/nodes/lexer/depends-on?dependsOn=a%20b')).toBe('400 invalid_request');
    expect(await said('PUT', '/api/plans/shop', { plan: 'other' })).toBe('400 invalid_request');
    expect(await said('PUT', '/api/plans/shop/nodes/lexer', { id: 'parser' })).toBe('400 invalid_request');
    expect(await said('PUT', claim, { agent: 'ada' })).toBe('405 method_not_allowed');
    expect(await said('GET', '/api/plans/shop/nowhere')).toBe('404 not_found');
  },
);

verifies(
  [
    'body:work-loop-strict',
    'body:work-loop-null-is-absent',
    'checks:shape-before-existence',
    'checks:existence-before-state',
  ],
  'checks run in one order: shape, existence, state; null in the work loop means absent',
  async () => {
    await using service = await start();
    await service.call('POST', '/api/plans', plan);
    const typo = await service.call('POST', claim, { agent: 'ada', leaseMinuts: 5 });
    expect(typo.body).toMatchObject({
      status: 400,
      errors: [{ path: 'leaseMinuts', message: expect.stringContaining('leaseMinutes') }],
    });
    const nulls = { leaseMinutes: null, session: null };
    expect((await service.call('POST', claim, { agent: 'ada', ...nulls })).status).toBe(200);
    const nowhere = '/api/plans/nowhere/nodes/x/report';
    expect((await service.call('POST', nowhere, { agent: 'ada', fence: 'x' })).status).toBe(400);
    expect((await service.call('POST', nowhere, { agent: 'bob', fence: 9 })).body.code).toBe('plan_not_found');
    await service.call('DELETE', '/api/plans/shop');
    expect((await service.call('PUT', '/api/plans/shop/nodes/nothing', { estimateMinutes: -1 })).status).toBe(400);
    for (const [method, path, body] of [
      ['PUT', '', { title: 'x' }],
      ['DELETE', ''],
      ['POST', '/depends-on', { dependsOn: 'lexer' }],
      ['DELETE', '/depends-on', { dependsOn: 'lexer' }],
      ['POST', '/bind', { kind: 'signOff' }],
      ['POST', '/sign-off', { by: 'eve' }],
    ] as const) {
      const code = async (node: string) =>
        (await service.call(method, `/api/plans/shop/nodes/${node}${path}`, body)).body.code;
      expect([await code('nothing'), await code('lexer')]).toEqual(['node_not_found', 'plan_archived']);
    }
  },
);

verifies(
  ['agent:blank-required', 'claim-next:filters', 'errors:all-faults-at-once'],
  'a missing agent is told whatever else is wrong, an empty filter never widens, a fault stands where it was written',
  async () => {
    await using service = await start();
    await service.call('POST', '/api/plans', plan);
    for (const body of [[], 'null', '"ada"', { node: 'parser' }, { agent: ' ', plan: 'other' }])
      expect((await service.call('POST', claim, body)).body).toMatchObject({ status: 400, code: 'agent_required' });

    const next = (narrow: object) =>
      service.call('POST', '/api/plans/ready/claim', { agent: 'ada', unbound: true, ...narrow });
    expect((await next({ plan: '' })).body).toMatchObject({ status: 404, code: 'plan_not_found' });
    for (const narrow of [{ label: '' }, { repository: '' }])
      expect((await next(narrow)).body).toEqual({ claimed: false, reason: 'nothing_ready' });

    const dependsOn = ['lexer', 'nowhere', 'Shop/parser', 'nothing'];
    const changed = await service.call('PUT', '/api/plans/shop/nodes/parser', { dependsOn });
    const added = await service.call('POST', '/api/plans/shop/nodes', { id: 'totals', dependsOn: ['nowhere'] });
    const paths = ({ body }: typeof changed) => body.errors.map(({ path }: { path: string }) => path);
    expect([paths(changed), paths(added)]).toEqual([['dependsOn[1]', 'dependsOn[3]'], ['dependsOn[0]']]);
    const self = await service.call('POST', '/api/plans/shop/nodes', { id: 'totals', dependsOn: ['shop/Totals'] });
    expect(self.body).toMatchObject({ status: 400, code: 'self_dependency' });

    await service.call('DELETE', '/api/plans/shop');
    const { body } = await service.call('POST', claim, { agent: 'ada' });
    expect(body).toMatchObject({ status: 404, code: 'plan_not_found', detail: expect.stringContaining('archived') });
  },
);

verifies(
  ['lists:limit-and-offset', 'lists:limit-from-one', 'lists:rest-default-everything', 'lists:mcp-default-twenty'],
  'a list gives everything over REST and twenty over MCP, and takes limit and offset',
  async () => {
    await using service = await start();
    const nodes = Array.from({ length: 30 }, (_, index) => ({ id: `n${10 + index}` }));
    await service.call('POST', '/api/plans', { plan: 'many', nodes });
    const ids = async (query = '') =>
      (await service.call('GET', `/api/plans/ready${query}`)).body.map(({ id }: { id: string }) => id);
    expect(await ids()).toHaveLength(30);
    expect(await ids('?limit=2&offset=28')).toEqual(['n38', 'n39']);
    for (const limit of ['0', '-1', '1.5', 'x', '']) {
      expect((await service.call('GET', `/api/plans/ready?limit=${limit}`)).status).toBe(400);
    }
    const client = await newMcpClient(service.url);
    const page = (await client.callTool({ name: 'next_ready_nodes', arguments: { maxBytes: 100_000 } })) as {
      structuredContent: { items: unknown[]; total: number; next: object };
    };
    expect(page.structuredContent).toMatchObject({ total: 30, next: { offset: 20 } });
    expect(page.structuredContent.items).toHaveLength(20);
    await client.close();
  },
);

verifies(
  [
    'idempotency:mcp-request-id',
    'idempotency:one-key-space',
    'idempotency:refusals-not-remembered',
    'idempotency:nothing-ready-not-remembered',
  ],
  'one key space for both doors; what was refused, or found nothing, runs again under its key',
  async () => {
    await using service = await start();
    const client = await newMcpClient(service.url);
    const tool = async (name: string, input: object) =>
      ((await client.callTool({ name, arguments: { ...input } })) as { structuredContent: Record<string, unknown> })
        .structuredContent;
    expect((await service.call('POST', claim, { agent: 'ada' }, key('k1'))).status).toBe(404);
    expect(await tool('claim_next', { agent: 'eve', unbound: true, requestId: 'k2' })).toMatchObject({
      reason: 'nothing_ready',
    });
    await service.call('POST', '/api/plans', plan, key('k3'));
    expect((await service.call('POST', '/api/plans', plan, key('k3'))).status).toBe(201);
    const first = await service.call('POST', claim, { agent: 'ada' }, key('k1'));
    expect(first.status).toBe(200);
    const lexer = { plan: 'shop', node: 'lexer', agent: 'ada' };
    const { untrusted, ...again } = await tool('claim_node', { ...lexer, requestId: 'k1' });
    expect([again, untrusted]).toEqual([first.body, ['node.title', 'node.claimedBy', 'node.why']]);
    await service.call('POST', '/api/plans', { plan: 'other', nodes: [{ id: 'x' }] });
    expect(await tool('claim_next', { agent: 'eve', unbound: true, requestId: 'k2' })).toMatchObject({ claimed: true });
    await client.close();
  },
);

verifies(
  ['document:json-schema', 'document:members'],
  'the schema of a plan document is published and knows every member',
  () => {
    const file = join(import.meta.dirname, '../../docs/reference/plan-document.schema.json');
    const schema = JSON.parse(readFileSync(file, 'utf8'));
    expect(schema).toEqual(JSON.parse(JSON.stringify(planDocumentSchema())));
    expect(Object.keys(schema.properties)).toEqual([
      'plan',
      'title',
      'description',
      'repository',
      'maxAttempts',
      'priority',
      'maxClaims',
      'budget',
      'nodes',
    ]);
    const text = JSON.stringify(schema.$defs.NodeDocument);
    for (const member of [
      'id',
      'title',
      'description',
      'repository',
      'labels',
      'estimateMinutes',
      'maxAttempts',
      'priority',
      'budget',
      'dependsOn',
      'binding',
    ]) {
      expect(text).toContain(`"${member}":`);
    }
  },
);
