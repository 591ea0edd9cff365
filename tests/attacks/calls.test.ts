import { expect, test } from 'vitest';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import type { AnyCommand } from '../../packages/service/src/kernel/command.ts';
import { dispatch } from '../../packages/service/src/kernel/dispatch.ts';
import { callThrough } from '../coordination/call-through.ts';
import { recordFigure } from '../rounds.ts';
import { start } from '../start.ts';
import { transports, verifies } from '../verifies.ts';

const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const called = (args: unknown, more = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'list_plans', arguments: args },
  ...more,
});

test('invalid MCP gets a JSON-RPC error, or an HTTP refusal, and never crashes anything', async () => {
  await using service = await start();
  const attacks: Record<string, unknown> = {
    'an unknown method': { ...list, method: 'tools/destroy' },
    'no method': { jsonrpc: '2.0', id: 1 },
    'a method of a prototype': { ...list, method: '__proto__' },
    'another version': { ...list, jsonrpc: '1.0' },
    'an object as id': { ...list, id: {} },
    'a list as id': { ...list, id: [] },
    'no id at all': { jsonrpc: '2.0', method: 'tools/list' },
    'a fraction as id': { ...list, id: 1.5 },
    'a huge id': { ...list, id: 'x'.repeat(100_000) },
    'a huge number as id': { ...list, id: 1e308 },
    'arguments that are a list': called([]),
    'arguments that are a text': called('x'),
    'arguments with keys that nobody knows': called({ extra: 1, more: [2] }),
    'no name': { ...list, method: 'tools/call', params: {} },
    'a name of a prototype': { ...list, method: 'tools/call', params: { name: 'constructor', arguments: {} } },
    'a batch of 10,000': Array.from({ length: 10_000 }, (_, id) => ({ ...list, id })),
    'an empty batch': [],
    'a batch in a batch': [[list]],
    'an answer instead of a question': { jsonrpc: '2.0', id: 1, result: {} },
    null: 'null',
    'a number': '7',
  };
  for (const [what, message] of Object.entries(attacks)) {
    const { status, text } = await service.call('POST', '/api/mcp', message, headers);
    expect.soft(status, `${what}: ${text.slice(0, 200)}`).toBeLessThan(500);
    if (status === 200) expect.soft(text, what).toMatch(/"jsonrpc":"2.0"/);
    expect.soft(text.length, `${what} is not answered with more than it cost to send`).toBeLessThan(400_000);
  }
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const { status, headers: told, body } = await service.call(method, '/api/mcp', undefined, headers);
    expect.soft([status, told.get('allow'), body.detail], method).toEqual([405, 'POST', 'Use POST here.']);
  }
  expect(service.logged()).not.toContain('a request failed with an unexpected error');
  expect((await service.call('POST', '/api/mcp', called({}), headers)).status).toBe(200);
});

const lengths = [-1, 0, -0, 1e308, 2 ** 53, 1440.001, '30', '', true, [], {}, '__proto__'];

verifies.each(transports)(
  'lease:minutes-range',
  'a lease of a length that nobody can mean is a 400 wherever one may be given, and changes nothing',
  async (door) => {
    await using service = await start();
    await using call = await callThrough(service, door);
    await call('create_plan', { document: { plan: 'p', nodes: [{ id: 'n', binding: { kind: 'signOff' } }] } });
    for (const leaseMinutes of lengths) {
      const node = { plan: 'p', node: 'n', agent: 'ada', leaseMinutes };
      for (const [name, input] of [
        ['claim_node', node],
        ['claim_next', { agent: 'ada', leaseMinutes }],
        ['report_node', node],
      ] as const) {
        const answer = await call(name, input);
        const what = `${name} ${JSON.stringify(leaseMinutes)}`;
        expect.soft([answer.status, answer.code], what).toEqual([400, 'invalid_request']);
      }
    }
    const raw = await service.call('POST', '/api/plans/p/nodes/n/claim', '{"agent":"ada","leaseMinutes":1e999}');
    expect(raw.status).toBe(400);
    expect((await call('plan_status', { plan: 'p' })).nodes[0].claimedBy).toBeNull();
  },
);

verifies.each(transports)(
  'lease:fraction-of-a-minute',
  'the shortest lease is a millisecond, and a claim',
  async (door) => {
    await using service = await start();
    await using call = await callThrough(service, door);
    await call('create_plan', { document: { plan: 'p', nodes: [{ id: 'n' }] } });
    const claim = (agent: string) => call('claim_node', { plan: 'p', node: 'n', agent, leaseMinutes: 1e-9 });
    const { fence, ...first } = await claim('ada');
    expect(first).toMatchObject({ claimed: true, expiresAt: '2026-01-01T09:00:00.001Z' });
    expect(await claim('bob')).toEqual({ claimed: false, heldBy: 'ada', heldUntil: '2026-01-01T09:00:00.001Z' });
    service.clock.advance(1);
    expect(await claim('bob')).toMatchObject({ claimed: true, fence: fence + 1 });
  },
);

/** Texts that make a careless pattern backtrack. */
const size = 100_000;
const repeated = ['a', '0', ' ', '.', '-', '/', '1d', 'a/', 'P1', '\n', '<'].map((part) =>
  part.repeat(size / part.length),
);
const texts = [...repeated, `${'a'.repeat(size)}!`, `2026-01-01T${'0'.repeat(size)}`, `P${'1'.repeat(size)}D`];

test('a text of 100 KB in any member of any command is answered, whatever its pattern', async () => {
  await using service = await start();
  let slowest = { ms: 0, what: '' };
  for (const command of coordinationCommands as readonly AnyCommand<never>[]) {
    const { input = {} } = command.examples.find(({ refused }) => !refused) ?? {};
    const wait = 'timeoutSeconds' in command.input.shape ? { timeoutSeconds: 0.01 } : {};
    for (const member of Object.keys(command.input.shape)) {
      for (const text of texts) {
        const began = performance.now();
        const asked = { ...input, ...wait, [member]: text };
        await dispatch(command, service.running.coordination.ctx as never, asked, { transport: 'direct' });
        const ms = performance.now() - began;
        if (ms > slowest.ms) slowest = { ms, what: `${command.name} ${member} ${text.slice(0, 3)}` };
      }
    }
  }
  for (const text of texts.map((one) => encodeURIComponent(one.slice(0, 3_000)))) {
    expect((await service.console('GET', `/api/runs?tag=${text}`)).status).toBe(200);
    expect((await service.console('DELETE', `/api/runs?olderThan=${text}`)).status).toBe(400);
  }
  recordFigure('A15', `slowest ${slowest.ms.toFixed(1)} ms (${slowest.what})`);
});
