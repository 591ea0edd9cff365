import { expect } from 'vitest';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient, oldMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

type Result = { isError?: boolean; structuredContent: Record<string, never>; content: Array<{ text: string }> };
type Tool = { name: string; description?: string; inputSchema: object; title?: string; annotations?: object };

async function connected(service: Started, path?: string) {
  const client = await newMcpClient(service.url, path);
  return {
    client,
    call: async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })) as unknown as Result,
    tools: async () => (await client.listTools()).tools as Tool[],
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Members that REST has too: only tools list the members that others wrote. */
function ownWords({ structuredContent }: Result) {
  const { untrusted, ...others } = structuredContent as Record<string, unknown>;
  return others;
}

const work = [
  'next_ready_nodes',
  'claim_next',
  'claim_node',
  'report_node',
  'release_node',
  'split_node',
  'await_dependencies',
  'await_node',
];
const plans = [
  'list_plans',
  'get_plan',
  'plan_status',
  'node_status',
  'plan_history',
  'create_plan',
  'import_plan',
  'archive_plan',
  'rescan_plans',
  'add_node',
  'update_node',
  'remove_node',
  'add_dependency',
  'remove_dependency',
  'bind_node',
  'sign_off_node',
  'withdraw_submission',
  'reset_node',
];
const repositories = [
  'list_repositories',
  'get_repository',
  'register_repository',
  'declare_repository',
  'note_repository',
  'search_notes',
];
const runs = [
  'list_runs',
  'run_status',
  'failing_tests',
  'flaky_tests',
  'await_run',
  'export_run',
  'event_model',
  'slice_coverage',
];

verifies(
  [
    'mcp:stock-client',
    'mcp:work-tools',
    'mcp:plan-tools',
    'mcp:agent-tools',
    'mcp:repository-tools',
    'mcp:run-tools',
    'mcp:tools-list-size',
    'mcp:short-descriptions',
    'mcp:published-schemas',
    'mcp:read-only-annotated',
    'mcp:instructions',
    'mcp:work-tools-only',
  ],
  'clients of both generations list every tool by its name, in few words, without what only a validator needs',
  async () => {
    await using service = await start();
    await using mcp = await connected(service);
    const tools = await mcp.tools();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      [
        ...work,
        ...plans,
        'list_agents',
        'get_agent',
        'list_needs',
        'list_overlaps',
        'activity_report',
        ...repositories,
        ...runs,
      ].sort(),
    );
    expect(JSON.stringify({ tools }).length).toBeLessThan(24 * 1024);
    expect(JSON.stringify(tools)).not.toMatch(/"\$schema"|"pattern":/);
    for (const { name, title, description = '', annotations } of tools) {
      expect.soft(description.split(/[.!?](?:\s|$)/).filter(Boolean).length, name).toBeLessThanOrEqual(2);
      const command = coordinationCommands.find((one) => one.name === name);
      expect.soft(annotations, name).toEqual({
        ...(command?.effect === 'read'
          ? { readOnlyHint: true }
          : { destructiveHint: /^(archive|remove|eject|import)_/.test(name) }),
        ...((command?.repeatable || command?.destructive) && { idempotentHint: true }),
        openWorldHint: false,
      });
      expect.soft(title, name).toMatch(/^[A-Z][a-z]+/);
    }
    expect((await mcp.call('list_agents')).isError ?? false).toBe(false);
    expect(mcp.client.getInstructions()?.length).toBeLessThan(400);
    expect(mcp.client.getInstructions()).toMatch(/claim_node[\s\S]*report_node[\s\S]*release_node/);
    const old = await oldMcpClient(service.url);
    expect((await old.listTools()).tools).toHaveLength(tools.length);
    await old.close();
    await using few = await connected(service, '/api/mcp?tools=work');
    const seven = await few.tools();
    expect(seven.map(({ name }) => name).sort()).toEqual([...work].sort());
    expect(JSON.stringify({ tools: seven }).length).toBeLessThan(6 * 1024);
  },
);

verifies(
  ['mcp:only-by-design', 'twin:rest-equals-mcp'],
  'only what is MCP only by design has no REST route',
  async () => {
    await using service = await start();
    await using mcp = await connected(service);
    expect((await mcp.call('flaky_tests')).structuredContent).toMatchObject({ items: [] });
    const without = coordinationCommands.filter(({ rest }) => !rest).map(({ name }) => name);
    expect(without.sort()).toEqual(['await_dependencies', 'await_node', 'await_run', 'failing_tests', 'flaky_tests']);
  },
);

verifies(
  [
    'mcp:structured-content-is-rest-body',
    'mcp:argument-names',
    'mcp:document-and-binding',
    'mcp:204-is-empty-object',
    'mcp:text-equals-structured',
  ],
  'arguments are named as in REST with plan, node and by; a document and a binding are arguments; a 204 is {}',
  async () => {
    await using service = await start();
    await using mcp = await connected(service);
    const document = { plan: 'p', nodes: [{ id: 'n' }] };
    const created = await mcp.call('create_plan', { document, by: 'ada', view: 'full' });
    expect(ownWords(created)).toEqual((await service.call('GET', '/api/plans/p')).body);
    const bound = await mcp.call('bind_node', { plan: 'p', node: 'n', binding: { kind: 'signOff' }, by: 'ada' });
    expect(bound.structuredContent.binding).toEqual({ kind: 'signOff' });
    const removed = await mcp.call('remove_node', { plan: 'p', node: 'n', by: 'ada' });
    expect(removed.structuredContent).toEqual({});
    for (const { content, structuredContent } of [created, bound, removed])
      expect(content[0]?.text).toBe(JSON.stringify(structuredContent));
  },
);

verifies(
  ['mcp:list-shape', 'lists:mcp-default-twenty', 'mcp:max-bytes', 'mcp:whole-items-left-off', 'mcp:truncated-is-told'],
  'a list is paged by twenty and cut to what an agent can afford, whole items at a time',
  async () => {
    await using service = await start();
    await using mcp = await connected(service);
    const nodes = Array.from({ length: 30 }, (_, index) => ({
      id: `n${index}`,
      title: `Node ${index} ${'x'.repeat(100)}`,
    }));
    await service.call('POST', '/api/plans', { plan: 'p', nodes });
    const page = (await mcp.call('next_ready_nodes', { maxBytes: 1024 * 1024 })).structuredContent as Record<
      string,
      unknown
    >;
    expect([(page.items as unknown[]).length, page.total, page.next]).toEqual([20, 30, { offset: 20 }]);
    const { structuredContent, content } = await mcp.call('next_ready_nodes', { view: 'full' });
    const cut = structuredContent as unknown as {
      items: Array<{ id: string }>;
      truncated: boolean;
      leftOff: number;
      next: { offset: number };
      total: number;
    };
    expect(Buffer.byteLength(content[0]?.text ?? '')).toBeLessThanOrEqual(8192);
    expect([cut.truncated, cut.leftOff + cut.items.length, cut.next.offset, cut.total]).toEqual([
      true,
      20,
      cut.items.length,
      30,
    ]);
    const seen = new Set<string>();
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const { items, next } = (await mcp.call('next_ready_nodes', { offset })).structuredContent as unknown as {
        items: Array<{ id: string }>;
        next: { offset: number } | null;
      };
      for (const { id } of items) seen.add(id);
      offset = next?.offset;
    }
    expect(seen.size).toBe(30);
    expect((await mcp.call('next_ready_nodes', { maxBytes: 2 ** 21 })).isError).toBe(true);
  },
);

verifies(
  ['mcp:truncated-is-told', 'mcp:max-bytes'],
  'an object with a list is whole unless it says that it is cut, and its pages lead through all of the list',
  async () => {
    await using service = await start();
    await using mcp = await connected(service);
    const nodes = Array.from({ length: 1200 }, (_, index) => ({ id: `a-node-with-a-name-${index}` }));
    await service.call('POST', '/api/plans', { plan: 'p', nodes: nodes.slice(0, 30) });
    await service.call('POST', '/api/plans', { plan: 'long', nodes });
    const whole = await mcp.call('plan_status', { plan: 'p', view: 'full', maxBytes: 1024 * 1024 });
    expect(ownWords(whole)).toEqual((await service.call('GET', '/api/plans/p/status')).body);

    type Page = { nodes: { id: string }[]; truncated?: true; leftOff: number; next: { offset: number } };
    const seen: string[] = [];
    for (let page: Page | undefined; page === undefined || page.truncated; ) {
      const { structuredContent } = await mcp.call('plan_status', { plan: 'p', offset: page?.next.offset ?? 0 });
      page = structuredContent as unknown as Page;
      seen.push(...page.nodes.map(({ id }) => id));
    }
    expect(seen).toEqual(nodes.slice(0, 30).map(({ id }) => id));

    const { structuredContent, content } = await mcp.call('plan_status', { plan: 'long' });
    const cut = structuredContent as unknown as Page & { ready: string[] };
    expect(Buffer.byteLength(content[0]?.text ?? '')).toBeLessThanOrEqual(8192);
    expect([cut.nodes.length > 3, cut.next.offset]).toEqual([true, cut.nodes.length]);
    expect(cut.leftOff).toBe(2400 - cut.nodes.length - cut.ready.length);
    const plan = await mcp.call('get_plan', { plan: 'long' });
    expect(plan.structuredContent).toMatchObject({ truncated: true, next: null });
  },
);

verifies('mcp:stateless', 'a client goes on with another process of the service without connecting again', async () => {
  await using first = await start();
  await using second = await start();
  const client = await newMcpClient(first.url);
  const { port } = new URL(second.url);
  await first.call('POST', '/api/plans', { plan: 'here' });
  await second.call('POST', '/api/plans', { plan: 'there' });
  // The exact request of the connected client, sent to a process that has never seen it.
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_plans', arguments: {} } };
  const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
  const answer = await second.call('POST', '/api/mcp', body, headers);
  expect([answer.status, answer.text.includes('there'), port]).toEqual([200, true, expect.any(String)]);
  await client.close();
});

verifies(
  [
    'errors:mcp-same-object',
    'errors:mcp-validates-in-dispatch',
    'errors:mcp-paths-of-rest-body',
    'errors:all-faults-at-once',
    'errors:invalid-request',
  ],
  'a refused tool answers the very problem object of REST, all faults at once, with the paths of the REST body',
  async () => {
    await using service = await start();
    await using mcp = await connected(service);
    const document = { plan: 'bad slug', nodes: [{ id: 'a', titel: 'x' }, { id: 7 }] };
    const rest = await service.call('POST', '/api/plans', document);
    const { isError, structuredContent, content } = await mcp.call('create_plan', { document });
    expect([isError, structuredContent, content[0]?.text]).toEqual([true, rest.body, rest.text]);
    expect(rest.body).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(rest.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'nodes[0].titel',
      'nodes[1].id',
      'plan',
    ]);
    expect(rest.body.errors).toContainEqual(expect.objectContaining({ node: 'a', path: 'nodes[0].titel' }));
    expect((await mcp.call('no_such_tool')).structuredContent.code).toBe('invalid_request');
    const unsaid = await mcp.call('bind_node', { plan: 'p', node: 'a' });
    expect(unsaid.structuredContent).toMatchObject({ errors: [{ path: '', message: 'binding is required' }] });
  },
);

verifies(
  'errors:mcp-conflicting-claim-is-no-error',
  'a claim lost to another is a normal outcome over MCP',
  async () => {
    await using service = await start();
    await using mcp = await connected(service);
    await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'n' }] });
    await mcp.call('claim_node', { plan: 'p', node: 'n', agent: 'ada' });
    const lost = await mcp.call('claim_node', { plan: 'p', node: 'n', agent: 'bob' });
    expect(lost.isError ?? false).toBe(false);
    expect(lost.structuredContent).toEqual({
      claimed: false,
      heldBy: 'ada',
      heldUntil: '2026-01-01T09:30:00.000Z',
      untrusted: ['heldBy'],
    });
  },
);
