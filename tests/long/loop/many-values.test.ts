import { expect, test } from 'vitest';
import { connect } from '../../../packages/service/src/client/index.ts';
import { caller } from '../../start.ts';
import { newMcpClient } from '../../transports.ts';
import { expectNeverStill, startWatched } from './never-still.ts';

const bytes = 7_800_000;
const list = (one: string) => `[${`${one},`.repeat(bytes / (one.length + 1))}${one}]`;

/** Nearly 8 MiB of JSON that takes long to parse: many values, or many names. */
const shapes: Record<string, string> = {
  'empty objects': list('{}'),
  'empty lists': list('[]'),
  objects: list('{"a":1}'),
  numbers: list('0'),
  'empty texts': list('""'),
  names: `{${Array.from({ length: bytes / 13 }, (_, at) => `"k${at}":0`).join()}}`,
};

const routes = [
  ['POST', '/api/ingest', (value: string) => `{"events":[{"type":"run_started","runId":"r","extra":${value}}]}`],
  ['PUT', '/api/event-model/host', (value: string) => `{"name":"m","slices":${value}}`],
  ['PUT', '/api/plans/p', (value: string) => `{"nodes":${value}}`],
  ['POST', '/api/agents/hooks', (value: string) => `{"hook_event_name":"PreToolUse","tool_input":${value}}`],
  [
    'POST',
    '/api/mcp',
    (value: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"import_plan","arguments":{"plan":"p","document":{"nodes":${value}}}}}`,
  ],
] as const;

test.each(routes)(
  '%s %s: JSON of more values than can be parsed at once is a 413 and holds up nobody',
  async (method, path, bodyOf) => {
    await using service = await startWatched({ NODE_OPTIONS: '--max-old-space-size=256' });
    const url = /ingest|event-model/.test(path) ? service.consoleUrl : service.url;
    for (const [what, value] of Object.entries(shapes)) {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const answer = await fetch(url + path, { method, headers, body: bodyOf(value) });
      const { code, detail } = (await answer.json()) as { code: string; detail: string };
      expect.soft([answer.status, code], what).toEqual([413, 'body_too_large']);
      expect.soft(detail, what).toMatch(/Send (less|simpler)/);
    }
    await expectNeverStill(service);
  },
);

test('a plan with more garbage than can be checked is a 400 that delays nobody', async () => {
  await using service = await startWatched({ NODE_OPTIONS: '--max-old-space-size=256' });
  const send = async (method: string, path: string, type: string, nodes: string) => {
    const body = `{"plan":"p","nodes":${nodes}}`;
    const answer = await fetch(service.url + path, { method, headers: { 'content-type': type }, body });
    const { errors } = (await answer.json()) as { errors: { path: string; message: string }[] };
    return { status: answer.status, path: errors[0]?.path, last: errors.at(-1)?.message };
  };
  const many = (one: string, count: number) => `[${Array(count).fill(one).join()}]`;
  const json = 'application/json';
  const rubbish = { status: 400, path: 'nodes[0].id', last: '89000 more were not checked yet' };
  expect(await send('PUT', '/api/plans/p', json, many('{}', 90_000))).toEqual(rubbish);
  expect(await send('POST', '/api/plans', json, many('{}', 90_000))).toEqual(rubbish);
  const waiting = `[{"id":"a","dependsOn":${many('null', 180_000)}}]`;
  expect(await send('PUT', '/api/plans/p', json, waiting)).toMatchObject({ status: 400, path: 'nodes[0]' });
  const last = 'must be at most 100000';
  expect(await send('PUT', '/api/plans/p', json, many('0', 400_000))).toEqual({ status: 400, path: 'nodes', last });
  const yaml = await send('PUT', '/api/plans/p', 'application/yaml', many('{}', 2_000_000));
  expect(yaml).toEqual({ status: 400, path: '', last: expect.stringContaining('send it as JSON') });
  await expectNeverStill(service);
});

test('an event model with more garbage than can be checked is a 400 that delays nobody', async () => {
  await using service = await startWatched({ NODE_OPTIONS: '--max-old-space-size=256' });
  const push = async (document: object) => {
    const { status, body } = await caller(service.consoleUrl)('PUT', '/api/event-model/host', document);
    return { status, path: body.errors[0].path, last: body.errors.at(-1).message };
  };
  const slices = Array(5_000).fill({ name: 1, commandType: 3, emittedEvents: Array(30).fill(null) });
  expect(await push({ Name: 'm', Slices: slices })).toMatchObject({ status: 400, path: 'slices[0].name' });
  const aggregates = Array(2_000).fill({ appliedEvents: Array(90).fill(null) });
  expect(await push({ name: 'm', aggregates })).toMatchObject({ status: 400, path: 'aggregates[0].type' });
  const hotspots = Array(1_000).fill({ text: Array(150).fill(null) });
  expect(await push({ name: 'm', hotspots })).toMatchObject({ status: 400, path: 'hotspots[0].origin' });
  const twice = Array.from({ length: 5_000 }, (_, at) => ({ name: `slice ${at % 4_000}` }));
  expect(await push({ name: 'm', slices: twice })).toEqual({
    status: 400,
    path: 'slices[4000].name',
    last: '900 more were not checked yet',
  });
  const last = 'must be at most 5000';
  expect(await push({ name: 'm', slices: Array(90_000).fill({}) })).toEqual({ status: 400, path: 'slices', last });
  await expectNeverStill(service);
});

test('forty bodies of many values at once are read one after the other, with others in between', async () => {
  await using service = await startWatched({ NODE_OPTIONS: '--max-old-space-size=256' });
  const title = Array(90_000).fill('a text');
  // The second time all connections are open, so that the bodies arrive in few turns.
  for (const _ of ['first', 'second']) {
    const sent = Array.from({ length: 40 }, () => caller(service.url)('PUT', '/api/plans/p', { title }));
    for (const { status, body } of await Promise.all(sent))
      expect([status, body.errors[0].path]).toEqual([400, 'title']);
  }
  await expectNeverStill(service);
});

test('a call with too many values for error reports is a 413 over REST, MCP and the socket', async () => {
  await using service = await startWatched({ NODE_OPTIONS: '--max-old-space-size=256' });
  await caller(service.url)('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'a' }] });
  const waiting = Array(150_000).fill(null);
  const node = { plan: 'p', id: 'b', dependsOn: waiting };
  const { plan, ...body } = node;
  const rest = await caller(service.url)('POST', `/api/plans/${plan}/nodes`, body);
  expect([rest.status, rest.body.code]).toEqual([413, 'body_too_large']);
  const client = await newMcpClient(service.url);
  const { structuredContent } = await client.callTool({ name: 'add_node', arguments: node });
  await client.close();
  expect(structuredContent).toMatchObject({ code: 'body_too_large' });
  const box = connect({ url: service.url });
  await expect(box.call('add_node', { ...node, dependsOn: waiting } as never)).rejects.toMatchObject({
    code: 'body_too_large',
  });
  box.close();
  await expectNeverStill(service);
});
