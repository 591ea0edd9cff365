import { expect, test } from 'vitest';
import type { ConsoleApi, RestApi } from './api.ts';
import { callOver, type RestResponse } from './call.ts';
import type { RestRequest } from './rest-request.ts';
import { consoleRoutes, routes } from './routes.ts';

function answering(response: RestResponse) {
  const sent: RestRequest[] = [];
  const transport = {
    send: async (request: RestRequest) => {
      sent.push(request);
      return response;
    },
    refused: ({ status }: RestResponse) => new Error(`refused with ${status}`),
  };
  return {
    sent,
    call: callOver<RestApi>(routes, transport),
    callConsole: callOver<ConsoleApi>(consoleRoutes, transport),
  };
}

test('a call puts each member where its route expects it', async () => {
  const { sent, call } = answering({ status: 200, text: '{}' });
  await call('sign_off_node', { plan: 'a b', node: 'n', by: 'ida', note: 'good' });
  await call('list_agents', { since: '7d' });
  await call('eject_runs', { exceptRunId: ['a', 'b'] });
  await call('import_plan', { plan: 'p', document: 'title: P', mode: 'seed', by: undefined });
  expect(sent.map(({ method, path, body, mediaType }) => [method, path, body, mediaType])).toEqual([
    ['POST', '/api/plans/a%20b/nodes/n/sign-off?by=ida', '{"note":"good"}', 'application/json'],
    ['GET', '/api/agents?since=7d', undefined, 'application/json'],
    ['DELETE', '/api/runs?exceptRunId=a&exceptRunId=b', undefined, 'application/json'],
    ['PUT', '/api/plans/p?mode=seed', 'title: P', 'application/yaml'],
  ]);
});

test('a document is returned as text, even if it is JSON', async () => {
  const { call } = answering({ status: 200, text: '{"results":{}}' });
  expect(await call('export_run', { runId: 'r', format: 'ctrf' })).toBe('{"results":{}}');
});

test('a claim lost to another is an answer, and every other refusal is thrown', async () => {
  const lost = { claimed: false, heldBy: 'bob', heldUntil: '2026-01-01T00:00:00.000Z' };
  const claim = { plan: 'p', node: 'n', agent: 'ada' };
  expect(await answering({ status: 409, text: JSON.stringify(lost) }).call('claim_node', claim)).toEqual(lost);
  await expect(answering({ status: 404, text: '{}' }).call('claim_node', claim)).rejects.toThrow('refused with 404');
});

test('a call without an answer body answers an empty object', async () => {
  expect(await answering({ status: 204, text: '' }).callConsole('eject_run', { runId: 'r' })).toEqual({});
});

test('runs and event models have the same routes on both ports, so one page serves both', () => {
  const console = Object.values(consoleRoutes).map(({ method, path }) => `${method} ${path}`);
  const shared = Object.values(routes).filter(({ path }) => /^\/api\/(runs|event-model)/.test(path));
  expect(shared.length).toBeGreaterThan(5);
  expect(console).toEqual(expect.arrayContaining(shared.map(({ method, path }) => `${method} ${path}`)));
});
