import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { type Answer, type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

type Json = Record<string, unknown>;
type Content = Record<string, { schema: object; examples?: Record<string, { value: unknown }> }>;
type Response = { $ref?: string; content?: Content; headers?: Json };
type Operation = {
  operationId: string;
  tags: string[];
  parameters?: ReadonlyArray<{ $ref?: string; name: string; in: string }>;
  requestBody?: { content: Content };
  responses: Record<string, Response>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, Response> };
  servers: Array<{ url: string }>;
  tags: Array<{ name: string }>;
};

/** A client that knows only the document: every call and every answer is checked against its schema. */
class DocumentClient {
  readonly #service: Started;
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });

  constructor(service: Started, document: Document) {
    this.#service = service;
    this.#document = document;
    this.#ajv.addSchema(document, 'openapi');
  }

  async call(operationId: string, given: Json = {}): Promise<Answer> {
    const { path, method, operation } = this.#operation(operationId);
    const inPath = operation.parameters?.filter(({ in: place }) => place === 'path').map(({ name }) => name) ?? [];
    const inQuery = operation.parameters?.filter(({ in: place }) => place === 'query').map(({ name }) => name) ?? [];
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
    const query = new URLSearchParams();
    for (const name of inQuery) if (name in given) query.set(name, String(given[name]));
    const members = Object.entries(given).filter(([name]) => !inPath.includes(name) && !inQuery.includes(name));
    const body = operation.requestBody && Object.fromEntries(members);
    if (body) this.#hold(operation.requestBody?.content['application/json']?.schema, body, `body of ${operationId}`);
    const answer = await this.#service.call(method.toUpperCase(), `${address}?${query}`, body);
    this.#holdAnswer(operation, answer);
    return answer;
  }

  #operation(wanted: string) {
    for (const [path, methods] of Object.entries(this.#document.paths))
      for (const [method, operation] of Object.entries(methods))
        if (operation.operationId === wanted) return { path, method, operation };
    throw new Error(`the document has no ${wanted}`);
  }

  #holdAnswer({ operationId, responses }: Operation, { status, headers, body }: Answer): void {
    const listed = responses[status] ?? (status < 300 ? undefined : responses.default);
    const named = listed?.$ref?.split('/').at(-1) ?? '';
    const response = listed?.$ref ? this.#document.components.responses[named] : listed;
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    this.#hold(response?.content?.[type]?.schema, body, `${status} of ${operationId}`);
    for (const name of Object.keys(response?.headers ?? {}))
      if (status < 300 && name !== 'Age' && name !== 'Link') expect(headers.get(name), name).not.toBeNull();
  }

  #hold(schema: object | undefined, value: unknown, what: string): void {
    expect(schema, what).toBeDefined();
    const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'));
    const fits = this.#ajv.compile(located);
    expect(fits(value), `${what}: ${this.#ajv.errorsText(fits.errors)}`).toBe(true);
  }
}

const operationsOf = ({ paths }: Document): Operation[] => Object.values(paths).flatMap((path) => Object.values(path));
const documentOf = async (call: Started['call'], path = '/api/openapi.json') => (await call('GET', path)).body;

verifies('openapi:describes-the-wire', 'the work loop matches the document, including refusals', async () => {
  await using service = await start();
  const client = new DocumentClient(service, await documentOf(service.call));
  const nodes = [{ id: 'lexer' }, { id: 'parser', dependsOn: ['lexer'], binding: { kind: 'signOff' } }];
  await client.call('create_plan', { plan: 'shop', title: 'Shop', nodes });
  const { body: ready } = await client.call('next_ready_nodes', { plan: 'shop' });
  expect(ready.map(({ id }: { id: string }) => id)).toEqual(['lexer']);
  const at = { plan: 'shop', node: 'lexer' };
  const { body: claim } = await client.call('claim_node', { ...at, agent: 'ada', leaseMinutes: 10 });
  expect((await client.call('claim_node', { ...at, agent: 'bob' })).status).toBe(409);
  expect((await client.call('report_node', { ...at, agent: 'bob', note: 'mine?' })).status).toBe(409);
  await client.call('report_node', { ...at, agent: 'ada', note: 'half', fence: claim.fence });
  await client.call('release_node', { ...at, agent: 'ada', outcome: 'submitted', result: { tokens: 3 } });
  expect((await client.call('claim_next', { agent: 'ada' })).body.claimed).toBe(false);
  expect((await client.call('claim_node', { ...at, node: 'nobody', agent: 'ada' })).status).toBe(404);
  for (const reads of ['list_plans', 'list_agents', 'list_needs', 'list_runs', 'list_repositories', 'me', 'health'])
    await client.call(reads);
  for (const reads of ['get_plan', 'plan_status', 'plan_history']) await client.call(reads, { plan: 'shop' });
  await client.call('node_status', at);
});

verifies(
  ['openapi:components', 'openapi:one-status', 'openapi:headers'],
  'the document names its parts, its statuses and its headers',
  async () => {
    await using service = await start();
    const coordination: Document = await documentOf(service.call);
    const names = Object.keys(coordination.components.schemas);
    expect(names).toEqual(
      expect.arrayContaining(['Node', 'Claim', 'Run', 'Plan', 'Session', 'Tree', 'Need', 'Problem']),
    );
    for (const document of [coordination, (await documentOf(service.console)) as Document]) {
      expect(document.servers.map(({ url }) => url)[0]).toMatch(/^http:\/\/localhost:552[56]$/);
      const tags = document.tags.map(({ name }) => name);
      for (const { operationId, responses, tags: own } of operationsOf(document)) {
        expect(tags, operationId).toEqual(expect.arrayContaining(own));
        expect(Object.keys(responses).filter((status) => !/^\d{3}$|^default$/.test(status))).toEqual([]);
      }
    }
    const byId = new Map(operationsOf(coordination).map((operation) => [operation.operationId, operation]));
    const parametersOf = (id: string) => JSON.stringify(byId.get(id)?.parameters);
    expect(parametersOf('claim_node')).toContain('#/components/parameters/IdempotencyKey');
    expect(parametersOf('import_plan')).toContain('#/components/parameters/IfMatch');
    expect(parametersOf('list_runs')).toContain('cursor');
    const headersOf = (id: string) => Object.keys(byId.get(id)?.responses[200]?.headers ?? {});
    expect(headersOf('list_plans')).toEqual(expect.arrayContaining(['Total-Count', 'Link']));
    expect(headersOf('get_plan')).toContain('ETag');
    const bodies = operationsOf(coordination).flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
    expect(bodies.filter(({ examples }) => examples !== undefined).length).toBeGreaterThan(10);
  },
);

verifies('openapi:describes-the-wire', 'every example of a body fits its schema', async () => {
  await using service = await start();
  for (const call of [service.call, service.console]) {
    const document: Document = await documentOf(call, '/api/openapi.json');
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi');
    for (const { operationId, requestBody } of operationsOf(document)) {
      const { schema, examples = {} } = requestBody?.content['application/json'] ?? {};
      if (!schema) continue;
      const fits = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components')));
      for (const [name, { value }] of Object.entries(examples))
        expect(fits(value), `${operationId} ${name}: ${ajv.errorsText(fits.errors)}`).toBe(true);
    }
  }
});

type AsyncApi = {
  asyncapi: string;
  channels: Record<string, { address: string; messages: Json }>;
  components: { messages: Record<string, { payload: object }>; schemas: Json };
};

verifies('asyncapi:hub-and-socket', 'messages and calls on a socket fit the AsyncAPI document', async () => {
  await using service = await start();
  const document: AsyncApi = await documentOf(service.call, '/api/asyncapi.json');
  expect(document.asyncapi).toBe('3.0.0');
  expect(Object.values(document.channels).map(({ address }) => address)).toEqual(['/api/messages', '/api/socket']);
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'asyncapi');
  const held = (name: string, value: unknown) => {
    const fits = ajv.compile({ $ref: `asyncapi#/components/messages/${name}/payload` });
    expect(fits(value), `${name}: ${ajv.errorsText(fits.errors)}`).toBe(true);
  };
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/socket`);
  const frames: Json[] = [];
  socket.on('message', (frame) => void frames.push(...[JSON.parse(String(frame))].flat()));
  await new Promise((resolve) => socket.once('open', resolve));
  const say = (id: number, method: string, params: Json) => {
    const request = { jsonrpc: '2.0', id, method, params };
    held(`${method}_request`, request);
    socket.send(JSON.stringify(request));
  };
  say(1, 'subscribe', { types: ['plan_changed', 'claim_changed'] });
  say(2, 'create_plan', { document: { plan: 'shop', nodes: [{ id: 'lexer' }] }, idempotencyKey: 'once' });
  await expect.poll(() => frames.some(({ id }) => id === 2)).toBe(true);
  say(3, 'claim_node', { plan: 'shop', node: 'lexer', agent: 'ada' });
  say(4, 'list_plans', {});
  say(5, 'get_plan', { plan: 'nowhere' });
  const isMessage = (type: string) => (frame: Json) => (frame.params as { type?: string } | undefined)?.type === type;
  await expect.poll(() => frames.some(isMessage('claim_changed')) && frames.some(({ id }) => id === 5)).toBe(true);
  socket.close();
  const answers = [undefined, 'subscribe', 'create_plan', 'claim_node', 'list_plans'];
  for (const frame of frames) {
    const name = typeof frame.id === 'number' ? answers[frame.id] : undefined;
    if (name !== undefined) held(`${name}_answer`, frame);
    else if (frame.id === 5) held('refusal', frame);
    else held(String(frame.method) === 'message' ? 'notification' : 'bookmark', frame);
    if (frame.method === 'message') held((frame.params as { type: string }).type, frame.params);
  }
});

verifies('monitor-schema:served', 'what ingest takes fits the schema of monitor events, and the reverse', async () => {
  await using service = await start();
  const schema = await documentOf(service.console, '/api/monitor-events.schema.json');
  expect(await documentOf(service.call, '/api/monitor-events.schema.json')).toEqual(schema);
  const fits = new Ajv2020({ strict: false }).compile(schema);
  const runId = 'a-run';
  const taken = [
    { type: 'run_started', runId, suite: 'unit', totalScenarios: 2, repository: null },
    { type: 'scenario_finished', runId, uid: 'one', outcome: 'CleanPass', errors: [{ message: 'x' }] },
    { type: 'test_finished', runId, uid: 'two', state: 'Passed', lane: 0 },
    { type: 'something_newer', runId, member: { any: 1 } },
    { type: 'run_finished', runId, exitCode: 0, passed: 2 },
  ];
  const refused = [
    { type: 'scenario_finished', runId, uid: 'one', outcome: 'wonderful' },
    { type: 'scenario_finished', runId, uid: 'one' },
    { type: 'run_started', runId, suite: 7 },
    { type: 'run_started', runId: '../x' },
  ];
  for (const [events, rejected] of [[taken, 0], ...refused.map((event) => [[event], 1] as const)] as const) {
    const { body } = await service.console('POST', '/api/ingest', { events });
    expect(body.rejected.length, JSON.stringify(events)).toBe(rejected);
    expect(fits({ events }), JSON.stringify(events)).toBe(rejected === 0);
    expect(fits(events)).toBe(rejected === 0);
  }
});

verifies('docs:links-documents', 'the page of the reference links every document for programs', async () => {
  await using service = await start();
  const { text } = await service.call('GET', '/api/docs');
  for (const name of ['openapi', 'asyncapi', 'plan-document.schema', 'monitor-events.schema']) {
    expect(text).toContain(`href="/api/${name}.json"`);
    expect((await service.call('GET', `/api/${name}.json`)).status).toBe(200);
  }
  expect((await service.console('GET', '/api/docs')).text).toContain('href="/api/monitor-events.schema.json"');
});

verifies(
  ['well-known:not-the-page', 'auth:www-authenticate'],
  'what looks for OAuth gets problems, and is asked for a bearer token',
  async () => {
    await using service = await start({ settings: { Token: 'a-secret-of-this-test' } });
    for (const call of [service.call, service.console]) {
      for (const path of ['oauth-protected-resource/api/mcp', 'oauth-authorization-server', 'openid-configuration']) {
        const { status, body } = await call('GET', `/.well-known/${path}`, undefined, { accept: 'text/html' });
        expect([status, body.code], path).toEqual([404, 'not_found']);
      }
      const { status, headers } = await call('GET', '/api/runs');
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
    const wrong = { authorization: 'Bearer wrong' };
    const refused = [
      await service.call('POST', '/api/mcp', {}, wrong),
      await service.console('POST', '/api/ingest', { events: [] }, wrong),
    ];
    for (const { status, headers } of refused)
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/api/socket`);
    const answer = await new Promise<{ headers: Record<string, unknown> }>((resolve) =>
      socket.once('unexpected-response', (_, response) => resolve(response)),
    );
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    socket.on('error', () => undefined).terminate();
  },
);
