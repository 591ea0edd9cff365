import { expect, test } from 'vitest';
import { cloneDatabase } from '../postgres/clone.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

async function tools({ url }: Started) {
  const client = await newMcpClient(url);
  return {
    async call(name: string, args: Record<string, unknown>) {
      // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
      return (await client.callTool({ name, arguments: args })).structuredContent as any;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const shop = { owner: 'acme', name: 'shop' };

verifies(
  [
    'repositories:list',
    'repositories:one',
    'repositories:register',
    'repositories:declare',
    'repositories:declare-replaces-named',
    'repositories:members',
    'repositories:unknown-404',
    'repositories:authoring-mcp-only',
  ],
  'a repository is registered and declared over MCP and read over both doors',
  async () => {
    await using service = await start();
    await using mcp = await tools(service);
    await mcp.call('register_repository', {
      ...shop,
      description: 'The shop',
      defaultBranch: 'main',
      paths: ['/src/shop'],
      by: 'ada',
    });
    await mcp.call('declare_repository', {
      ...shop,
      publishes: [{ registry: 'npm', name: '@acme/shop' }],
      suites: [{ suite: 'unit' }],
    });
    await mcp.call('declare_repository', { ...shop, suites: [{ suite: 'e2e', tag: 'nightly' }] });
    const { body } = await service.call('GET', '/api/repositories/Acme/SHOP');
    expect(body).toEqual({
      ...shop,
      description: 'The shop',
      url: null,
      defaultBranch: 'main',
      paths: ['/src/shop'],
      publishes: [{ registry: 'npm', name: '@acme/shop' }],
      consumes: [],
      suites: [{ suite: 'e2e', tag: 'nightly' }],
      maxClaims: null,
      noteCount: 0,
      plans: [],
      openNodes: 0,
      trees: [],
      workingTrees: [],
      registeredAt: '2026-01-01T09:00:00.000Z',
      declaredAt: '2026-01-01T09:00:00.000Z',
      notes: [],
      suggestions: [],
    });
    expect((await service.call('GET', '/api/repositories')).body).toHaveLength(1);
    expect((await service.call('GET', '/api/repositories/acme/none')).body.code).toBe('repository_not_found');
    expect((await service.call('POST', '/api/repositories/acme/shop', {})).status).toBe(405);
  },
);

verifies(
  ['repositories:listed-by-node', 'repositories:listed-by-note', 'notes:unregistered'],
  'a repository that only a node or a note names is listed without a registration',
  async () => {
    await using service = await start();
    await using mcp = await tools(service);
    await service.call('POST', '/api/plans', {
      plan: 'p',
      repository: 'acme/api',
      nodes: [{ id: 'a' }, { id: 'b', repository: 'acme/web' }],
    });
    await mcp.call('note_repository', { owner: 'acme', name: 'docs', text: 'Build with the old toolchain' });
    const { body } = await service.call('GET', '/api/repositories');
    expect(
      body.map(({ name, registeredAt, plans, openNodes, noteCount }: Record<string, unknown>) => [
        name,
        registeredAt,
        plans,
        openNodes,
        noteCount,
      ]),
    ).toEqual([
      ['api', null, ['p'], 1, 0],
      ['docs', null, [], 0, 1],
      ['web', null, ['p'], 1, 0],
    ]);
  },
);

verifies(
  [
    'notes:add',
    'notes:supersede',
    'notes:unknown-supersedes-404',
    'repositories:detail-notes',
    'memory:search',
    'memory:superseded-last',
    'memory:members',
    'memory:narrowed',
  ],
  'notes are never lost: a superseded one is marked and found last, typos and beginnings included',
  async () => {
    await using service = await start();
    await using mcp = await tools(service);
    const first = await mcp.call('note_repository', {
      ...shop,
      topic: 'build',
      text: 'Run the generator before the tests',
      by: 'ada',
    });
    await mcp.call('note_repository', {
      ...shop,
      text: 'The generator runs by itself now',
      supersedes: first.id,
      by: 'bob',
    });
    expect((await mcp.call('note_repository', { ...shop, text: 'x', supersedes: 'acme/shop/99' })).code).toBe(
      'note_not_found',
    );
    const { notes } = (await service.call('GET', '/api/repositories/acme/shop')).body;
    expect(notes.map(({ by, supersededBy }: Record<string, unknown>) => [by, supersededBy])).toEqual([
      ['ada', notes[1].id],
      ['bob', null],
    ]);
    await service.call('POST', '/api/plans', { plan: 'P', repository: 'acme/web', nodes: [{ id: 'N' }] });
    await service.call('POST', '/api/plans/P/nodes/N/claim', { agent: 'cleo' });
    await service.call('POST', '/api/plans/P/nodes/N/report', {
      agent: 'cleo',
      note: 'The generator breaks on umlauts',
    });
    const found = (await service.call('GET', '/api/memory?q=genrator')).body;
    expect(found.map(({ kind, by, ref, repository }: Record<string, unknown>) => [kind, by, ref, repository])).toEqual([
      ['claim', 'cleo', 'P/N', 'acme/web'],
      ['note', 'bob', null, 'acme/shop'],
      ['note', 'ada', null, 'acme/shop'],
    ]);
    expect(Object.keys(found[0]).sort()).toEqual([
      'at',
      'by',
      'id',
      'kind',
      'ref',
      'repository',
      'supersededBy',
      'text',
      'topic',
    ]);
    expect((await service.call('GET', '/api/memory?q=gener&owner=acme&name=web')).body).toHaveLength(1);
    expect((await mcp.call('search_notes', { q: 'umlaut' })).total).toBe(1);
  },
);

test('a search finds the same in the same order on SQLite, on PostgreSQL, and after a restart', async () => {
  const store = await cloneDatabase();
  const words = ['generator', 'umlaut', 'tests', 'before', 'cache', 'generate', 'genre'];
  const texts = Array.from({ length: 40 }, (_, index) =>
    [0, 1, 3].map((step) => words[(index * (step + 2) + step) % words.length]).join(' '),
  );
  const found: string[][][] = [];
  const ask = (service: Started) =>
    Promise.all(
      ['generator', 'gen umlaut', 'generatr', 'tests before'].map(async (q) => {
        const { body } = await service.call('GET', `/api/memory?q=${encodeURIComponent(q)}`);
        return body.map(({ id, text }: { id: string; text: string }) => `${id} ${text}`);
      }),
    );
  for (const settings of [{}, { Store: store }]) {
    await using service = await start({ settings });
    await using mcp = await tools(service);
    for (const text of texts) await mcp.call('note_repository', { ...shop, text, by: 'ada' });
    found.push(await ask(service));
    await service.stop();
    await using again = await start({ home: service.home, settings });
    found.push(await ask(again));
  }
  expect(found[0]?.map((hits) => hits.length > 3)).toEqual([true, true, true, true]);
  for (const other of found.slice(1)) expect(other).toEqual(found[0]);
});

verifies(
  ['repositories:suggestions', 'repositories:suggestions-add-nothing'],
  'what is published and consumed suggests edges between plans, and adds none',
  async () => {
    await using service = await start();
    await using mcp = await tools(service);
    await mcp.call('declare_repository', {
      owner: 'acme',
      name: 'sdk',
      publishes: [{ registry: 'npm', name: '@acme/sdk' }],
    });
    await mcp.call('declare_repository', { ...shop, consumes: [{ registry: 'npm', name: '@acme/sdk' }] });
    await service.call('POST', '/api/plans', {
      plan: 'sdk',
      repository: 'acme/sdk',
      nodes: [{ id: 'release', binding: { kind: 'package', registry: 'npm', name: '@acme/sdk', version: '^2.0.0' } }],
    });
    await service.call('POST', '/api/plans', {
      plan: 'shop',
      nodes: [
        { id: 'bump', binding: { kind: 'dependency', repository: 'acme/shop', name: '@acme/sdk', version: '^2.0.0' } },
      ],
    });
    const suggested = async () => (await service.call('GET', '/api/repositories/acme/shop')).body.suggestions;
    expect(await suggested()).toEqual([
      { from: 'sdk/release', to: 'shop/bump', why: 'acme/shop consumes @acme/sdk, which acme/sdk publishes' },
    ]);
    expect((await service.call('GET', '/api/plans/shop')).body.edges).toEqual([]);
    await service.call('POST', '/api/plans/shop/nodes/bump/depends-on', { dependsOn: 'sdk/release' });
    expect(await suggested()).toEqual([]);
  },
);

test('a note is found by its id in any letters, and no repository has a name that no address can hold', async () => {
  await using service = await start();
  await using mcp = await tools(service);
  await mcp.call('note_repository', { owner: 'Acme', name: 'Shop', text: 'first' });
  await mcp.call('note_repository', { ...shop, text: 'second', supersedes: 'acme/shop/1' });
  const { body } = await service.call('GET', '/api/repositories/acme/shop');
  expect(body.notes).toMatchObject([{ supersededBy: 'Acme/Shop/2' }, { supersededBy: null }]);
  expect((await service.call('GET', '/api/memory?q=first')).body).toMatchObject([{ supersededBy: 'Acme/Shop/2' }]);
  expect(await mcp.call('register_repository', { owner: '..', name: 'shop' })).toMatchObject({ status: 400 });
});

test('a pasted text finds the note that has its longest words, and a tab parts words as a space does', async () => {
  await using service = await start();
  await using mcp = await tools(service);
  const words =
    'unhandled rejection parser checkout generator umlaut pipeline connection scheduler worker browser session';
  await mcp.call('note_repository', { ...shop, text: `${words} timeout\tdatabase certificate registry archive` });
  await mcp.call('note_repository', { ...shop, text: 'something else' });
  const pasted = `${words} at x of 1 in a, b or c; database certificate registry archive timeout to be ok`;
  const found = async (q: string) => (await service.call('GET', `/api/memory?q=${encodeURIComponent(q)}`)).body;
  expect(await found('database')).toMatchObject([{ id: 'acme/shop/1' }]);
  expect(await found(pasted)).toMatchObject([{ id: 'acme/shop/1' }]);
  expect(await found('some')).toMatchObject([{ id: 'acme/shop/2' }]);
  expect(await found('something el')).toMatchObject([{ id: 'acme/shop/2' }]);
});

test("a path relative to the service's working directory is refused, with the expected form", async () => {
  await using service = await start();
  await using mcp = await tools(service);
  for (const path of ['', '.', 'src/shop', '~/shop'])
    expect(await mcp.call('register_repository', { ...shop, paths: [path] }), path).toMatchObject({
      status: 400,
      errors: [{ path: 'paths[0]', message: expect.stringContaining('absolute') }],
    });
  for (const path of ['/src/shop', 'C:\\src\\shop'])
    expect(await mcp.call('register_repository', { ...shop, paths: [path] })).toMatchObject({ paths: [path] });
});
