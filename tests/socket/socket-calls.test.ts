import { connect } from 'node:net';
import { expect } from 'vitest';
import { announceNumbered, numbersIn, range } from '../hub/announcing.ts';
import type { HubMessage } from '../hub/clients.ts';
import { start } from '../start.ts';
import { bearer, startClosed } from '../tokens.ts';
import { openSocket, type RawSocket } from '../transports.ts';
import { verifies } from '../verifies.ts';

const signOff = { kind: 'signOff' };
const nodes = (count: number) => range(1, count).map((n) => ({ id: `n${n}`, binding: signOff }));
const request = (id: number | undefined, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  ...(id !== undefined && { id }),
  method,
  params,
});
const claimNext = (id: number, more: object = {}) => request(id, 'claim_next', { agent: `agent-${id}`, ...more });

async function withPlan(count: number, settings: Record<string, string> = {}) {
  const service = await start({ settings });
  await service.call('POST', '/api/plans', { plan: 'shop', nodes: nodes(count) });
  return service;
}

/** Messages of the hub that arrived on the socket. */
const heard = ({ frames }: RawSocket): HubMessage[] =>
  (frames as { method?: string; params: HubMessage }[]).flatMap(({ method, params }) =>
    method === 'message' ? [params] : [],
  );

verifies(
  ['socket:registry', 'socket:lost-claim-is-a-result', 'socket:many-under-way', 'socket:one-flush-one-frame'],
  'a batch is one flush and one frame of answers, whatever each of them says',
  async () => {
    await using service = await withPlan(3);
    await using socket = await openSocket(service.url);
    socket.send([claimNext(1), claimNext(2), request(3, 'claim_node', { plan: 'shop', node: 'n1', agent: 'eve' })]);
    await socket.answer(3);
    expect(socket.frames).toMatchObject([
      [
        { jsonrpc: '2.0', id: 1, result: { claimed: true, node: { ref: 'shop/n1' } } },
        { id: 2, result: { claimed: true, node: { ref: 'shop/n2' } } },
        { id: 3, result: { claimed: false, heldBy: 'agent-1' } },
      ],
    ]);
    const { fence } = (socket.frames.flat() as { result: { fence: number } }[])[0]!.result;
    socket.send([
      request(4, 'release_node', { plan: 'shop', node: 'n1', agent: 'agent-1', fence }),
      claimNext(5),
      request(6, 'await_node', { plan: 'shop', node: 'n3' }),
      request(7, 'list_plans', { limit: 1 }),
    ]);
    await socket.answer(5);
    await socket.answer(7);
    // A read waits only for its turn, not for a flush, and a waiting call delays nobody.
    expect(socket.frames.slice(1).flat()).toContainEqual(
      expect.objectContaining({
        id: 7,
        result: [expect.objectContaining({ slug: 'shop' })],
        page: { total: 1, next: null },
      }),
    );
    const written = socket.frames.slice(1).find((frame) => Array.isArray(frame)) as { id: number }[];
    expect(written.filter(({ id }) => id !== 7)).toMatchObject([
      { id: 4, result: { released: true } },
      { id: 5, result: { claimed: true, node: { ref: 'shop/n1' } } },
    ]);
    await service.call('POST', '/api/plans/shop/nodes/n3/sign-off', { by: 'ida' });
    await socket.answer(6);
  },
);

verifies('socket:json-rpc', 'an invalid request is rejected, with its id if it has one', async () => {
  await using service = await start();
  await using socket = await openSocket(service.url);
  const wrong: ReadonlyArray<readonly [frame: unknown, id: number | null, code: number, path: string]> = [
    ['{', null, -32_700, ''],
    [`${'['.repeat(100)}${']'.repeat(100)}`, null, -32_700, 'body_too_large'],
    [[], null, -32_600, ''],
    [7, null, -32_600, ''],
    [{ jsonrpc: '2.0', id: {}, method: 'list_plans' }, null, -32_600, 'id'],
    [{ id: 1, method: 'list_plans' }, 1, -32_600, 'jsonrpc'],
    [{ jsonrpc: '2.0', id: 2 }, 2, -32_600, 'method'],
    [{ jsonrpc: '2.0', id: 3, method: 'list_plans', params: [] }, 3, -32_600, 'params'],
    [request(4, 'list_plan'), 4, -32_601, 'did you mean list_plans?'],
    [request(5, 'constructor'), 5, -32_601, 'unknown command constructor'],
    [request(6, 'claim_next', { idempotencyKey: 7 }), 6, 400, 'idempotencyKey'],
    [request(7, 'claim_next', { agent: 'ada', nonsense: 1 }), 7, 400, 'nonsense'],
    [request(8, 'get_plan', { plan: 'nowhere' }), 8, 404, 'plan_not_found'],
  ];
  for (const [frame, id, code, told] of wrong) {
    socket.frames.length = 0;
    socket.send(frame);
    const { error } = await socket.answer(id);
    expect.soft(error?.code, JSON.stringify(frame)).toBe(code);
    expect.soft(JSON.stringify(error?.data)).toContain(told);
  }
  socket.frames.length = 0;
  socket.send(request(undefined, 'list_plans'));
  socket.send(request(9, 'list_plans'));
  await socket.answer(9);
  expect(socket.frames).toHaveLength(1);
});

verifies(
  'socket:idempotency-key',
  'the same key gets the same answer on the socket and over REST, and makes one claim',
  async () => {
    await using service = await withPlan(3);
    await using socket = await openSocket(service.url);
    const params = { agent: 'ada', leaseMinutes: 5 };
    const keyed = (id: number) => request(id, 'claim_next', { ...params, idempotencyKey: 'k1' });
    socket.send([keyed(1), keyed(2)]);
    const { result } = await socket.answer(1);
    expect((await socket.answer(2)).result).toEqual(result);
    const again = await service.call('POST', '/api/plans/ready/claim', params, { 'idempotency-key': 'k1' });
    expect(again.body).toEqual(result);
    expect((await service.call('GET', '/api/plans/shop/history?only=claims')).body).toHaveLength(1);
  },
);

verifies('socket:256-under-way', 'the call after 256 is answered 429, and room is made by an answer', async () => {
  await using service = await withPlan(1);
  await using socket = await openSocket(service.url);
  const wait = (id: number) => request(id, 'await_node', { plan: 'shop', node: 'n1' });
  socket.send(range(1, 256).map(wait));
  socket.send(wait(257));
  expect((await socket.answer(257)).error).toMatchObject({ code: 429, data: { code: 'too_many_requests' } });
  await service.call('POST', '/api/plans/shop/nodes/n1/sign-off', { by: 'ida' });
  await Promise.all([socket.answer(1), socket.answer(256)]);
  socket.send(request(258, 'list_plans'));
  expect((await socket.answer(258)).result).toHaveLength(1);
});

verifies(
  'socket:256-in-a-frame',
  'a frame of more than 256 requests of any kind is one error and nothing of it is done; one of 256 is taken',
  async () => {
    await using service = await withPlan(1);
    await using socket = await openSocket(service.url);
    for (const one of [0, request(1, 'subscribe'), request(2, 'ping'), request(3, 'nothing'), claimNext(4)]) {
      const before = socket.frames.length;
      socket.send(Array(257).fill(one));
      await socket.until(() => socket.frames.length > before);
      expect(socket.frames.slice(before)).toMatchObject([{ id: null, error: { code: 429 } }]);
    }
    expect((await service.call('GET', '/api/plans/shop/status')).body.counts.claimed).toBe(0);
    socket.send(Array(256).fill(request(5, 'ping')));
    await socket.answer(5);
    await expect
      .poll(() => socket.frames.flat().filter((frame) => (frame as { id: number }).id === 5))
      .toHaveLength(256);
  },
);

verifies(
  'socket:256-in-a-turn',
  'frames that come together are taken in several turns of the event loop, in their order',
  async () => {
    await using service = await withPlan(1);
    await using socket = await openSocket(service.url);
    for (let frame = 0; frame < 20; frame += 1)
      socket.send(Array(256).fill(frame % 2 === 0 ? 0 : request(undefined, 'unsubscribe')));
    socket.send(request(7, 'ping'));
    await socket.answer(7);
    const bad = socket.frames.flat().filter((frame) => (frame as { error?: object }).error);
    expect(bad).toHaveLength(10 * 256);
    // Each turn answers in one frame: there are as many frames of answers as turns.
    expect(socket.frames.length).toBeGreaterThan(5);
  },
);

verifies('socket:frame-limit', 'a frame of 1 MiB is read, a longer or a binary one closes the socket', async () => {
  await using service = await start();
  await using socket = await openSocket(service.url);
  const empty = JSON.stringify(request(1, 'claim_next', { agent: '' })).length;
  socket.send(request(1, 'claim_next', { agent: 'x'.repeat(1024 * 1024 - empty) }));
  expect((await socket.answer(1)).error).toMatchObject({ code: 400 });
  socket.send(request(2, 'claim_next', { agent: 'x'.repeat(1024 * 1024) }));
  expect(await socket.closed).toBe(1009);
  await using binary = await openSocket(service.url);
  binary.ws.send(Buffer.from('{}'));
  expect(await binary.closed).toBe(1003);
});

const upgrade =
  'GET /api/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** A frame as a client sends it, with a zero mask. */
function masked(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(8);
  header.writeUInt8(0x81, 0);
  header.writeUInt8(0x80 | 126, 1);
  header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

verifies('socket:slow-reader', 'who asks for megabytes and never reads is cut off within two beats', async () => {
  await using service = await withPlan(200);
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () => socket.write(upgrade));
  const gone = new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve()));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  const asked = range(1, 100).map((id) => request(id, 'plan_status', { plan: 'shop' }));
  socket.write(masked(JSON.stringify(asked)));
  await using other = await openSocket(service.url);
  // Both are answered at the same pace, so by then the first connection is full.
  for (const id of range(1, 100)) {
    other.send(request(id, 'plan_status', { plan: 'shop' }));
    await other.answer(id);
  }
  for (const _ of range(1, 2)) {
    service.clock.advance(15_000);
    await service.clock.tick();
  }
  socket.resume();
  await gone;
  other.send(request(101, 'list_plans'));
  expect((await other.answer(101)).result).toHaveLength(1);
});

verifies(
  ['socket:subscribe', 'socket:unsubscribe'],
  'messages come as notifications beside answers, narrowed, resumed and ended',
  async () => {
    await using service = await withPlan(2);
    await using socket = await openSocket(service.url);
    socket.send(request(1, 'subscribe', { types: ['claim_changed'], plan: 'shop' }));
    const { result } = await socket.answer(1);
    expect(result).toEqual({ after: expect.stringMatching(/^\d+$/) });
    socket.send(claimNext(2));
    await socket.until(() => heard(socket).length > 0);
    expect(heard(socket)).toMatchObject([{ type: 'claim_changed', subject: 'shop/n1', data: { node: 'n1' } }]);
    socket.send(request(3, 'unsubscribe'));
    await socket.answer(3);
    socket.send(claimNext(4));
    await socket.answer(4);

    await using resumed = await openSocket(service.url);
    resumed.send(request(1, 'subscribe', { types: 'claim_changed', after: (result as { after: string }).after }));
    await resumed.until(() => heard(resumed).length === 2);
    expect(heard(resumed).map(({ subject }) => subject)).toEqual(['shop/n1', 'shop/n2']);
    resumed.send(request(2, 'subscribe', { after: '1' }));
    await resumed.until(() => heard(resumed).some(({ type }) => type === 'reset'));
    announceNumbered(service, 1, 3);
    await resumed.until(() => heard(resumed).length >= 6);
    expect(numbersIn(heard(resumed).slice(3))).toEqual([1, 2, 3]);
    for (const params of [{ types: 'nonsense' }, { types: [7] }, { plans: 'shop' }, { after: 7 }]) {
      resumed.frames.length = 0;
      resumed.send(request(9, 'subscribe', params));
      expect.soft((await resumed.answer(9)).error, JSON.stringify(params)).toMatchObject({ code: 400 });
    }
  },
);

verifies(['socket:token', 'socket:audit'], 'a revoked token ends its sockets, and writes are audited', async () => {
  await using service = await startClosed();
  await service.operator.call('POST', '/api/plans', { plan: 'shop', nodes: nodes(2) });
  const ada = await service.named('ada', ['work']);
  await using socket = await openSocket(service.url, {}, `?access_token=${ada.token}`);
  socket.send([request(1, 'claim_next'), request(2, 'archive_plan', { plan: 'shop' })]);
  expect((await socket.answer(1)).result).toMatchObject({ claimed: true, node: { claimedBy: 'ada' } });
  expect((await socket.answer(2)).error).toMatchObject({ code: 403, data: { code: 'scope_required' } });
  const { items } = (await service.operator.call('GET', '/api/audit?name=ada')).body;
  expect(items).toMatchObject([
    { door: 'socket', command: 'claim_next', ref: 'shop/n1', outcome: 'done' },
    { door: 'socket', command: 'archive_plan', ref: 'shop', outcome: 'scope_required' },
  ]);
  await using idle = await openSocket(service.url, bearer(ada.token));
  await service.operator.call('DELETE', '/api/tokens/ada');
  socket.send(request(3, 'claim_next'));
  expect(await socket.closed).toBe(1008);
  service.clock.advance(500);
  await service.clock.tick();
  expect(await idle.closed).toBe(1006);
});

verifies(
  'token:revoked-within-a-second',
  'a revoked token loses its streams, sockets and calls under way within half a second, and nobody else does',
  async () => {
    await using service = await startClosed();
    await service.operator.call('POST', '/api/plans', { plan: 'shop', nodes: nodes(1) });
    const ada = await service.named('ada', ['work']);
    const bob = await service.named('bob', ['work']);
    const stream = (token: string) =>
      fetch(`${service.url}/api/messages`, { headers: { ...bearer(token), accept: 'text/event-stream' } });
    const hub = (token: string) => openSocket(service.url, bearer(token), '', '/api/messages');
    const wait = (token: string) => {
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'await_node', arguments: { plan: 'shop', node: 'n1', timeoutSeconds: 50 } },
      };
      const accept = 'application/json, text/event-stream';
      const headers = {
        ...bearer(token),
        accept,
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-06-18',
      };
      return fetch(`${service.url}/api/mcp`, { method: 'POST', headers, body: JSON.stringify(call) }).then((answer) =>
        answer.text(),
      );
    };
    const [adas, bobs] = [await stream(ada.token), await stream(bob.token)];
    await using adasHub = await hub(ada.token);
    const waiting = wait(ada.token).then(
      () => 'answered',
      () => 'cut',
    );
    const bobsWait = wait(bob.token);
    await expect.poll(async () => (await service.operator.call('GET', '/api/ping')).status).toBe(200);
    await service.operator.call('DELETE', '/api/tokens/ada');
    service.clock.advance(500);
    await service.clock.tick();
    await adas.text().catch(() => undefined);
    expect(await adasHub.closed).toBe(1006);
    expect(await waiting).toBe('cut');
    await service.operator.call('POST', '/api/plans/shop/nodes/n1/sign-off', { by: 'ida' });
    expect(await bobsWait).toContain('done');
    await bobs.body?.cancel();
  },
);

verifies('socket:stop-answers', 'a stopping service answers running calls and then exits', async () => {
  await using service = await withPlan(2);
  await using socket = await openSocket(service.url);
  let stopped: Promise<void> | undefined;
  service.running.coordination.ctx.log.onCommitted(() => {
    stopped = service.stop();
  });
  socket.send(claimNext(1));
  expect((await socket.answer(1)).result).toMatchObject({ claimed: true });
  expect(await socket.closed).toBe(1001);
  await stopped;
});
