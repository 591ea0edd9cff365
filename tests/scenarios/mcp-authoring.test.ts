import { expect } from 'vitest';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
type Answer = any;

async function authorOn(service: Started) {
  const client = await newMcpClient(service.url);
  const heard = { characters: 0 };
  return {
    heard,
    call: async (name: string, input: object): Promise<Answer> => {
      const result = (await client.callTool({ name, arguments: { ...input } })) as Answer;
      heard.characters += result.content[0].text.length;
      return result;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const description =
  'What there is to do, where it is, and how one sees that it works, as an author would write it. '.repeat(3);
const twentyNodes = Array.from({ length: 20 }, (_, index) => ({
  id: `part-${index}`,
  title: `Move part ${index} of the server to the new router`,
  description,
  ...(index > 0 && { dependsOn: [`part-${index < 5 ? 0 : index - 4}`] }),
  binding: { kind: 'suite' },
}));
const document = { plan: 'server', title: 'The server', repository: 'acme/server', nodes: twentyNodes };

verifies(
  ['mcp:authoring-cost', 'mcp:dry-run'],
  'a plan of 20 nodes is checked, created, changed and looked at by tools for under 2,000 tokens of answers',
  async () => {
    await using service = await start();
    await using author = await authorOn(service);
    const checked = (await author.call('create_plan', { document, dryRun: true })).structuredContent;
    expect(checked).toEqual({ slug: 'server', version: 0, nodes: 20, dependencies: 19, dryRun: true });
    expect((await service.call('GET', '/api/plans')).body).toEqual([]);
    const created = (await author.call('create_plan', { document, requestId: 'once' })).structuredContent;
    expect(created).toEqual({ slug: 'server', version: 1, nodes: 20, dependencies: 19 });
    expect((await author.call('create_plan', { document, requestId: 'once' })).structuredContent).toEqual(created);
    const at = { plan: 'server', by: 'ada' };
    await author.call('add_node', { ...at, id: 'release', title: 'Release it', dependsOn: ['part-19'] });
    await author.call('bind_node', { ref: 'server/release', binding: { kind: 'signOff' }, by: 'ada' });
    await author.call('add_dependency', { ref: 'server/release', dependsOn: 'part-18', by: 'ada' });
    const status = (await author.call('plan_status', { plan: 'server' })).structuredContent;
    expect(status).toMatchObject({ slug: 'server', counts: { ready: 1, blocked: 20 }, ready: ['part-0'] });
    expect(status.truncated).toBeUndefined();
    expect(status.nodes).toHaveLength(21);
    expect(Object.keys(status.nodes[1]).sort()).toEqual(['id', 'status', 'title', 'why']);
    expect(author.heard.characters / 4).toBeLessThan(2_000);
    const whole = (await author.call('plan_status', { plan: 'server', view: 'full', maxBytes: 1_000_000 }))
      .structuredContent;
    const { untrusted, ...body } = whole;
    expect(body).toEqual((await service.call('GET', '/api/plans/server/status')).body);
  },
);

verifies(
  'mcp:dry-run',
  'a dry run over REST answers the plan as it would read, with 200 and without a location',
  async () => {
    await using service = await start();
    const dry = await service.call('POST', '/api/plans?dryRun=true', document);
    expect([dry.status, dry.headers.get('location'), dry.body.nodes.length]).toEqual([200, null, 20]);
    const made = await service.call('POST', '/api/plans', document);
    expect([made.status, made.headers.get('location')]).toEqual([201, '/api/plans/server']);
    const { dryRun, version, createdAt, updatedAt, ...would } = dry.body;
    expect([dryRun, version]).toEqual([true, 0]);
    expect(made.body).toMatchObject(would);
    expect((await service.call('POST', '/api/plans?dryRun=true', document)).body.code).toBe('plan_exists');
    expect((await service.call('POST', '/api/plans', { ...document, dryRun: true })).body.errors[0].path).toBe(
      'dryRun',
    );
  },
);

verifies(
  ['mcp:faults-by-node', 'errors:all-faults-at-once'],
  'faults of shape, references and cycles of a document come at once and name their nodes',
  async () => {
    await using service = await start();
    await using author = await authorOn(service);
    const nodes = [
      { id: 'lexer', titel: 'Lexer' },
      { id: 'parser', dependsOn: ['lexr'] },
      { id: 'a', dependsOn: ['b'] },
      { id: 'b', dependsOn: ['a'] },
      { id: 'c', dependsOn: ['c'] },
      { id: 'd', binding: { kind: 'wish' } },
    ];
    for (const [tool, input] of [
      ['create_plan', { document: { plan: 'p', nodes } }],
      ['import_plan', { plan: 'p', document: { nodes } }],
    ] as const) {
      const { isError, structuredContent } = await author.call(tool, input);
      expect([isError, structuredContent.code]).toEqual([true, 'invalid_request']);
      const told = structuredContent.errors.map(({ path, node, message }: Answer) => [path, node, message]);
      expect(told, tool).toEqual([
        ['nodes[0].titel', 'lexer', 'unknown member; did you mean title?'],
        [expect.stringContaining('nodes[5].binding'), 'd', expect.any(String)],
        ['nodes[1].dependsOn[0]', 'parser', expect.stringContaining('lexr')],
        ['nodes', undefined, expect.stringContaining('c cannot depend on itself')],
        ['nodes', undefined, expect.stringContaining('p/a -> p/b -> p/a')],
      ]);
    }
    const twoCycles = nodes.slice(2, 5);
    const looped = (await author.call('create_plan', { document: { plan: 'p', nodes: twoCycles } })).structuredContent;
    expect([looped.code, looped.errors.length]).toEqual(['self_dependency', 2]);
    await author.call('create_plan', { document: { plan: 'p', nodes: [{ id: 'kept' }] } });
    const seed = [{ id: 'x', titel: 'y', dependsOn: ['kept'] }];
    const seeded = await author.call('import_plan', { plan: 'p', document: { nodes: seed }, mode: 'seed' });
    expect(seeded.structuredContent.errors).toMatchObject([{ path: 'nodes[0].titel', node: 'x' }]);
    const long = Array.from({ length: 900 }, (_, index) => ({ id: `n${index}`, titel: 'x', labels: ['a', 'b'] }));
    const [first] = (await service.call('POST', '/api/plans', { plan: 'long', nodes: long })).body.errors;
    expect(first).toMatchObject({ path: 'nodes[0].titel', node: 'n0' });
  },
);
