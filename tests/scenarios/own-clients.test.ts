import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { diagnose } from '../../packages/service/src/app/diagnose.ts';
import { recordedRunId, recordedText, smallRun } from '../recorded-run.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

let service: Started;
beforeAll(async () => {
  service = await start({ settings: { OrphanSeconds: '100000' } });
});
afterAll(() => service.stop());

verifies('client:slug', 'a plan is created, changed, read and worked on by its slug, over both doors', async () => {
  const created = await service.call('POST', '/api/plans', { slug: 'shop', nodes: [{ id: 'cart' }] });
  expect([created.status, created.body.slug]).toEqual([201, 'shop']);
  expect((await service.call('PUT', '/api/plans/shop', { slug: 'Shop', nodes: [{ id: 'cart' }] })).status).toBe(200);
  expect((await service.call('PUT', '/api/plans/shop', { slug: 'other', nodes: [] })).status).toBe(400);
  expect((await service.call('GET', '/api/plans/ready?slug=shop')).body).toMatchObject([{ id: 'cart' }]);
  expect((await service.call('GET', '/api/plans/ready?slug=nowhere')).status).toBe(404);
  const text = { 'content-type': 'application/yaml' };
  expect((await service.call('PUT', '/api/plans/shop', 'slug: shop\nnodes: [{ id: cart }]', text)).status).toBe(200);
  const client = await newMcpClient(service.url);
  const call = async (name: string, args: object) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent;
  expect(await call('get_plan', { slug: 'shop' })).toMatchObject({ slug: 'shop' });
  expect(await call('plan_status', { slug: 'SHOP' })).toMatchObject({ slug: 'shop' });
  expect(await call('claim_node', { slug: 'shop', node: 'cart', agent: 'ada' })).toMatchObject({ claimed: true });
  expect(await call('get_plan', { slug: 'shop', plan: 'other' })).toMatchObject({ code: 'invalid_request' });
  await client.close();
});

verifies('client:put-what-get-gave', 'what GET gave can be changed and PUT back, plan and node', async () => {
  const nodes = [
    { id: 'a', binding: { kind: 'suite' } },
    { id: 'b', dependsOn: ['a'] },
  ];
  await service.call('POST', '/api/plans', { plan: 'again', title: 'Again', nodes });
  const read = (await service.call('GET', '/api/plans/again')).body;
  const same = await service.call('PUT', '/api/plans/again', read);
  expect([same.status, same.body.changed, same.body.unchanged]).toEqual([200, [], ['a', 'b']]);
  expect([...same.body.ignored].sort()).toEqual(
    ['archived', 'createdAt', 'edges', 'order', 'source', 'updatedAt', 'version'].sort(),
  );
  const renamed = { ...read, nodes: read.nodes.map((node: object) => ({ ...node, title: 'New' })) };
  expect((await service.call('PUT', '/api/plans/again', renamed)).body.changed).toHaveLength(2);
  const typo = await service.call('PUT', '/api/plans/again', { ...read, titel: 'x' });
  expect([typo.status, typo.body.errors]).toMatchObject([400, [{ path: 'titel' }]]);
  expect((await service.call('PUT', '/api/plans/again', { nodes: read.nodes })).body).not.toHaveProperty('ignored');

  const node = (await service.call('GET', '/api/plans/again/nodes/b')).body;
  const put = await service.call('PUT', '/api/plans/again/nodes/b', { ...node, title: 'Newer' });
  expect(put.body).toMatchObject({ title: 'Newer', dependsOn: [{ ref: 'again/a' }] });
  expect(put.body.ignored).toEqual(expect.arrayContaining(['status', 'why', 'leverage', 'claim', 'evidence']));
  expect((await service.call('PUT', '/api/plans/again/nodes/b', { titel: 'x' })).status).toBe(400);
  const wrong = await service.call('POST', '/api/plans/again/nodes/b/bind', { kind: 'suite', issue: 'acme/shop#1' });
  expect(JSON.stringify(wrong.body.errors)).not.toContain('did you mean issue');
});

verifies('client:ping-any-query', 'a probe with anything after it is answered', async () => {
  for (const query of ['?x=1', '?_=1723&by=ann', '?tag', '?a=1&a=2']) {
    for (const call of [service.call, service.console])
      expect((await call('GET', `/api/ping${query}`)).body).toMatchObject({ tool: 'signalbox' });
  }
});

verifies('client:by-on-work-loop', '`by` in the query is the agent of the work loop if none is named', async () => {
  await service.call('POST', '/api/plans?by=ann', { plan: 'by', nodes: [{ id: 'n' }, { id: 'm' }] });
  const at = '/api/plans/by/nodes/n';
  expect((await service.call('POST', `${at}/claim?by=ann`, {})).body.node.claimedBy).toBe('ann');
  expect((await service.call('POST', `${at}/report?by=bob`, { agent: 'ann', note: 'n' })).status).toBe(200);
  expect((await service.call('POST', `${at}/release?by=bob`, {})).status).toBe(409);
  expect((await service.call('POST', `${at}/release?by=ann`, {})).body.released).toBe(true);
  const next = await service.call('POST', '/api/plans/ready/claim?by=cy', { plan: 'by', unbound: true });
  expect(next.body.node.claimedBy).toBe('cy');
  expect((await service.call('POST', `${at}/claim?by=`, {})).body.code).toBe('agent_required');
});

verifies(['client:lanes-running', 'client:ndjson-as-sent'], 'a run is read and exported as it was sent', async () => {
  const lane = (runId: string) => service.console('GET', `/api/runs/${runId}`).then(({ body }) => body.lanes[0]);
  const at = (second: number) => `2026-01-01T09:00:0${second}.000Z`;
  const events = [
    { type: 'run_started', runId: 'lanes', suite: 's', startedAt: at(0) },
    { type: 'lane_started', runId: 'lanes', lane: 0, uids: ['O/one', 'O/two', 'O/three'], at: at(1) },
    { type: 'scenario_started', runId: 'lanes', uid: 'O/one', attempt: 1, at: at(1) },
    { type: 'scenario_started', runId: 'lanes', uid: 'O/two', attempt: 1, at: at(1) },
    { type: 'scenario_finished', runId: 'lanes', uid: 'O/one', outcome: 'CleanPass', at: at(2) },
  ];
  await service.console('POST', '/api/ingest', { events });
  expect(await lane('lanes')).toMatchObject({ status: 'running', running: ['O/two'] });
  const end = [{ type: 'run_finished', runId: 'lanes', exitCode: 1, finishedAt: at(3) }];
  await service.console('POST', '/api/ingest', { events: end });
  expect(await lane('lanes')).toMatchObject({ running: [] });

  await service.console('POST', '/api/ingest', `{"events":[${recordedText.trim().replaceAll('\n', ',')}]}`);
  const exported = await service.console('GET', `/api/runs/${recordedRunId}/export?format=ndjson`);
  expect(exported.text).toBe(recordedText);
  const again = await service.console('POST', '/api/ingest', `[${exported.text.trim().replaceAll('\n', ',')}]`);
  expect(again.body.rejected).toEqual([]);
});

verifies('client:model-any-text', 'an event model is taken however its JSON is labelled', async () => {
  const model = JSON.stringify({ name: 'Wallets', slices: [] });
  const types = ['text/plain', 'text/json; charset=utf-8', 'application/x-www-form-urlencoded', 'application/json', ''];
  for (const type of types) {
    // A body of bytes is sent without a type unless one is given.
    const body = new TextEncoder().encode(model);
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    const put = await fetch(`${service.consoleUrl}/api/event-model/host`, { method: 'PUT', headers, body });
    expect([type, put.status]).toEqual([type, 204]);
  }
  const yaml = await service.console('PUT', '/api/event-model/host', model, { 'content-type': 'application/yaml' });
  expect(yaml.status).toBe(415);
  const plans = await service.call('POST', '/api/plans', '{"plan":"typed"}', { 'content-type': 'text/plain' });
  expect(plans.status).toBe(415);
});

verifies('client:two-names', 'two tools answer by the names that the public console has for them', async () => {
  await service.console('POST', '/api/ingest', { events: smallRun('named', { outcomes: ['PassOnRetry'] }) });
  const client = await newMcpClient(service.url);
  const call = async (name: string, args: object = {}) =>
    (await client.callTool({ name, arguments: { ...args } })).structuredContent;
  expect(await call('flaky_ledger')).toEqual(await call('flaky_tests'));
  expect(await call('flaky_ledger', { runId: 'named' })).toMatchObject({ items: [{ uid: 'Cart/0' }] });
  expect(await call('flaky_ledger', { runId: 'nowhere' })).toMatchObject({ code: 'run_not_found' });
  const waited = await call('await_run_completion', { runId: 'named', timeoutSeconds: 3600 });
  expect(waited).toMatchObject({ outcome: 'finished', run: { runId: 'named' } });
  await client.close();
});

/** The list of runs of the public console: no state, no verdict, counts only at the end. */
const foreignRuns = [
  {
    runId: '6F1C2F0E-3A55-4A0B-9D0E-0B6A1D2C3E4F',
    suite: 'Checkout.Specs',
    repository: '/src/checkout',
    branch: 'main',
    mode: 'supervised',
    finished: true,
    orphaned: false,
    exitCode: 0,
    scenarios: 2,
    startedAt: '2026-08-21T10:00:00.1234567+00:00',
    finishedAt: '2026-08-21T10:00:09+00:00',
    tag: 'far/n',
    totalScenarios: 2,
    scenariosFinished: 2,
    passed: 2,
    failed: 0,
    passedOnRetry: 0,
    indeterminate: 0,
  },
];

verifies(
  ['client:other-consoles', 'client:console-trouble'],
  'the runs of another console of this wire prove nodes, and one that cannot be read is named',
  async () => {
    let answer: unknown = foreignRuns;
    const server = createServer((request, response) =>
      request.url?.startsWith('/api/runs')
        ? response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
        : response.writeHead(404).end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using near = await start({ settings: { PublisherUrl: url } });
    const listed = (await near.call('GET', '/api/runs')).body;
    expect(listed).toMatchObject([{ runId: '6f1c2f0e-3a55-4a0b-9d0e-0b6a1d2c3e4f', state: 'finished', green: true }]);
    await near.call('POST', '/api/plans', { plan: 'far', nodes: [{ id: 'n', binding: { kind: 'suite' } }] });
    expect((await near.call('GET', '/api/plans/far/nodes/n')).body.status).toBe('done');
    const named = async () =>
      (await near.call('GET', '/api/needs')).body.needs.map(({ kind }: { kind: string }) => kind);
    const line = async () =>
      (
        await diagnose({
          env: { Service__PublisherUrl: url, HOME: near.home },
          args: [],
          cwd: near.home,
          home: near.home,
        })
      )
        .filter(({ about }) => about === 'run console')
        .map(({ state }) => state);
    expect([await named(), await line()]).toEqual([[], ['ok']]);
    answer = [{ nothing: true }];
    near.clock.advance(2_000);
    await near.clock.tick();
    expect([await named(), await line()]).toEqual([['console_unreadable'], ['wrong']]);
    expect((await near.call('GET', '/api/plans/far/nodes/n')).body.status).toBe('done');
    await new Promise((resolve) => server.close(resolve));
  },
);
