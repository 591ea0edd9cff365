import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { consoleCommands } from '../../packages/service/src/console/registry.ts';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import { viaSocket } from '../hub/clients.ts';
import { bearer, mcpWith, startClosed } from '../tokens.ts';
import { openSocket } from '../transports.ts';

const secret = 'the-secret-of-the-plan';

test("a stolen observer's token reads no plan and no run, claims nothing and hears nothing, through any door", async () => {
  await using service = await startClosed();
  const author = await service.named('ada', ['author']);
  const publisher = await service.named('ci', ['publish']);
  const { token, call, console } = await service.named('boxes', ['observe']);
  const nodes = [{ id: 'cart', title: secret, repository: 'acme/shop' }];
  await author.call('POST', '/api/plans', { slug: 'shop', title: secret, nodes });
  const runId = randomUUID();
  const started = { type: 'run_started', runId, at: new Date().toISOString(), suite: secret, total: 1 };
  await publisher.console('POST', '/api/ingest', { events: [started] });
  const answers: string[] = [];

  const fill = (path: string) =>
    path.replace('{plan}', 'shop').replace('{slug}', 'shop').replace('{node}', 'cart').replace('{runId}', runId);
  for (const [ask, commands] of [
    [call, coordinationCommands],
    [console, consoleCommands],
  ] as const)
    for (const { rest, scope } of commands) {
      if (!rest || scope === 'observe') continue;
      const body =
        rest.method === 'GET' || rest.method === 'DELETE' ? undefined : { agent: 'eve', plan: 'shop', node: 'cart' };
      answers.push((await ask(rest.method, fill(rest.path), body)).text);
    }
  for (const path of [
    '/',
    '/plans/shop',
    '/metrics',
    '/api/docs',
    '/api/openapi.json',
    '/api/me',
    '/api/messages/negotiate',
    '/api/runs.ndjson',
  ])
    for (const ask of [call, console]) answers.push((await ask('GET', path)).text);

  const client = await mcpWith(service.url, token);
  const tried = [
    client.listTools(),
    client.listResources(),
    client.readResource({ uri: 'signalbox://plan/shop' }),
    client.readResource({ uri: `signalbox://run/${runId}` }),
    client.complete({
      ref: { type: 'ref/resource', uri: 'signalbox://plan/{slug}' },
      argument: { name: 'slug', value: '' },
    }),
    client.callTool({ name: 'plan_status', arguments: { plan: 'shop' } }),
    client.callTool({ name: 'claim_node', arguments: { plan: 'shop', node: 'cart', agent: 'eve' } }),
    client.callTool({ name: 'claim_next', arguments: { agent: 'eve' } }),
  ];
  answers.push(JSON.stringify(await Promise.allSettled(tried)));
  await client.close();

  await using socket = await openSocket(service.url, bearer(token));
  for (const [id, method] of ['subscribe', 'plan_status', 'claim_node', 'list_plans'].entries()) {
    socket.send({ jsonrpc: '2.0', id, method, params: { plan: 'shop', node: 'cart', agent: 'eve' } });
    const answer = await socket.answer(id);
    expect(answer.error?.data, method).toMatchObject({ status: 403 });
  }
  await expect(viaSocket(service, '', bearer(token))).rejects.toThrow('403');
  const stream = await fetch(`${service.url}/api/messages`, {
    headers: { ...bearer(token), accept: 'text/event-stream', 'last-event-id': '0' },
  });
  expect(stream.status).toBe(403);

  expect(answers.length).toBeGreaterThan(80);
  for (const text of answers) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain('"claimed":true');
  }
  const { body } = await author.call('GET', '/api/plans/shop/nodes/cart');
  expect(body.claim).toBeNull();
});
