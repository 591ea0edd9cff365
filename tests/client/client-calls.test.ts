import { expect } from 'vitest';
import { type Box, connect, connectConsole, Refused, Unreachable } from '../../packages/service/src/client/index.ts';
import { noteSocketCalls } from '../exercised.ts';
import { range } from '../hub/announcing.ts';
import { type Started, start } from '../start.ts';
import { startClosed } from '../tokens.ts';
import { verifies } from '../verifies.ts';
import { longWaits } from './long-waits.ts';
import { openProxy } from './proxy.ts';

const eventually = <Value>(read: () => Value) => expect.poll(read);
const plan = { plan: 'shop', nodes: range(1, 5).map((n) => ({ id: `n${n}`, binding: { kind: 'signOff' as const } })) };
const claims = async ({ call }: Started): Promise<unknown[]> =>
  (await call('GET', '/api/plans/shop/history?only=claims')).body;

const claimIn = (service: Started) => (node: string) =>
  service.call('POST', `/api/plans/shop/nodes/${node}/claim`, { agent: 'ada' });

/** The nodes whose claims a client is notified of, once it is subscribed. */
async function claimsHeardBy(box: Box) {
  const nodes: string[] = [];
  const off = box.on('claim_changed', ({ node }) => nodes.push(node));
  await off.ready;
  return { nodes, off };
}

verifies(
  ['client:call', 'client:abort'],
  'commands are called by their names, refusals are thrown, and a call can be given up',
  async () => {
    await using service = await start();
    using box = connect({ url: service.url });
    noteSocketCalls('"method":"claim_node"');
    expect(await box.call('create_plan', { document: plan })).toMatchObject({ slug: 'shop' });
    const first = await box.call('claim_node', { plan: 'shop', node: 'n1', agent: 'ada' });
    expect(first).toMatchObject({ claimed: true, node: { ref: 'shop/n1' } });
    // The claim is lost to another agent: an answer, not a refusal.
    expect(await box.call('claim_node', { plan: 'shop', node: 'n1', agent: 'bob' })).toMatchObject({ claimed: false });
    const refused = await box.call('get_plan', { plan: 'nowhere' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect(refused).toMatchObject({ status: 404, code: 'plan_not_found', problem: { code: 'plan_not_found' } });
    const wrong = await box.call('claim_next', { agent: '' }).catch((error: unknown) => error);
    expect(wrong).toMatchObject({ code: 'agent_required', status: 400 });
    // More calls than a socket accepts at once.
    const answers = await Promise.all(range(1, 600).map(() => box.call('list_plans', {})));
    expect(new Set(answers.map(([one]) => one?.slug))).toEqual(new Set(['shop']));

    const waiting = new AbortController();
    const wait = box.call('await_node', { plan: 'shop', node: 'n2' }, { signal: waiting.signal });
    waiting.abort(new Error('no longer of interest'));
    await expect(wait).rejects.toThrow('no longer of interest');
    expect(await box.call('plan_document', { plan: 'shop' })).toContain('n1');
    expect(await box.call('me', {})).toMatchObject({ kind: 'local' });
    expect(await connectConsole({ url: service.consoleUrl }).call('ping', {})).toMatchObject({ tool: 'signalbox' });
  },
);

verifies(
  ['client:rest-fallback', 'client:call'],
  'where sockets are not let through, calls go over REST, and a service that is away is told of',
  async () => {
    await using service = await start();
    await using proxy = await openProxy(service.url);
    proxy.blocksSockets = true;
    using box = connect({ url: `${proxy.url}/`, retryMs: 100 });
    await box.call('create_plan', { document: plan });
    const claimed = await box.call('claim_next', { agent: 'ada' });
    expect(claimed).toMatchObject({ claimed: true });
    expect(await box.call('claim_node', { plan: 'shop', node: 'n1', agent: 'bob' })).toMatchObject({ heldBy: 'ada' });
    await expect(box.call('get_plan', { plan: '..' })).rejects.toThrow('is not a valid name');
    proxy.target = 'http://localhost:1';
    proxy.cut();
    await expect(box.call('list_plans', {})).rejects.toBeInstanceOf(Unreachable);
    const underWay = expect(box.call('list_plans', {})).rejects.toThrow('does not answer');
    box.close();
    await underWay;
    await expect(box.call('list_plans', {})).rejects.toThrow('does not answer');
  },
);

verifies(
  ['client:rest-fallback', 'client:resume'],
  'where sockets are not let through, messages come as server-sent events, and on the socket once there is one',
  async () => {
    await using service = await start();
    await using proxy = await openProxy(service.url);
    await service.call('POST', '/api/plans', plan);
    proxy.blocksSockets = true;
    using box = connect({ url: proxy.url });
    const { nodes, off } = await claimsHeardBy(box);
    const claim = claimIn(service);
    await claim('n1');
    await eventually(() => nodes).toEqual(['n1']);
    proxy.cut();
    await claim('n2');
    await eventually(() => nodes).toEqual(['n1', 'n2']);
    proxy.blocksSockets = false;
    // Only a socket has this command.
    await box.call('await_node', { plan: 'shop', node: 'n5', until: 'unclaimed' });
    await claim('n3');
    await eventually(() => nodes).toEqual(['n1', 'n2', 'n3']);
    off();
    using restAlone = connect({ url: service.url, socket: false });
    const { nodes: heard } = await claimsHeardBy(restAlone);
    await claim('n4');
    await eventually(() => heard).toEqual(['n4']);
    expect(nodes).toHaveLength(3);
  },
);

verifies('client:keys', 'a claim with a lost answer is sent again and made once', async () => {
  await using service = await start();
  await using proxy = await openProxy(service.url);
  using box = connect({ url: proxy.url });
  await box.call('create_plan', { document: plan });
  for (const round of range(1, 4)) {
    // Only a socket has this command: it is open again.
    await box.call('await_node', { plan: 'shop', node: 'n5', until: 'unclaimed' });
    proxy.losesAnswers = true;
    const claim = box.call('claim_next', { agent: `agent-${round}` });
    await eventually(() => claims(service)).toHaveLength(round);
    proxy.losesAnswers = false;
    proxy.cut();
    expect(await claim).toMatchObject({ claimed: true, node: { id: `n${round}` } });
    expect(await claims(service)).toHaveLength(round);
  }
});

verifies('client:keys', 'the keys of several clients sort by when their calls were made', async () => {
  await using service = await start();
  await service.call('POST', '/api/plans', plan);
  const keys: string[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    keys.push(new Headers(init?.headers).get('idempotency-key') ?? '');
    return globalThis.fetch(input, init);
  };
  const boxes = range(1, 3).map(() => connect({ url: service.url, socket: false, fetch }));
  for (const turn of range(1, 4))
    for (const [index, box] of boxes.entries()) {
      for (const at = Date.now(); Date.now() <= at; );
      await box.call('claim_next', { agent: `agent-${index}-${turn}` });
    }
  expect(new Set(keys).size).toBe(12);
  expect([...keys].sort()).toEqual(keys);
});

verifies('client:resume', 'a cut line loses no message, and a restart is told as a reset', async () => {
  await using service = await start();
  await using proxy = await openProxy(service.url);
  await service.call('POST', '/api/plans', plan);
  using box = connect({ url: proxy.url });
  let resets = 0;
  box.on('reset', () => {
    resets += 1;
  });
  const { nodes, off } = await claimsHeardBy(box);
  const claim = claimIn(service);
  await claim('n1');
  await eventually(() => nodes).toEqual(['n1']);
  proxy.cut();
  await claim('n2');
  await eventually(() => nodes).toEqual(['n1', 'n2']);
  expect(resets).toBe(0);

  await using other = await start();
  proxy.target = other.url;
  await service.stop();
  await eventually(() => resets).toBe(1);
  await other.call('POST', '/api/plans', plan);
  off();
  await other.call('POST', '/api/plans/shop/nodes/n3/claim', { agent: 'ada' });
  expect(await box.call('list_plans', {})).toHaveLength(1);
  expect(nodes).toEqual(['n1', 'n2']);
});

verifies('client:keys', 'a line on which nothing comes any more is given up, and the call is sent again', async () => {
  await using service = await start();
  await using proxy = await openProxy(service.url);
  const waits = longWaits();
  using box = connect({ url: proxy.url, later: waits.later });
  await box.call('create_plan', { document: plan });
  proxy.losesAnswers = true;
  const claim = box.call('claim_next', { agent: 'ada' });
  await eventually(() => claims(service)).toHaveLength(1);
  // Asked for a sign of life after the second check, given up at the third.
  for (const _ of range(1, 2)) waits.pass(10_000);
  proxy.losesAnswers = false;
  waits.pass(10_000);
  expect(await claim).toMatchObject({ claimed: true, node: { id: 'n1' } });
  expect(await claims(service)).toHaveLength(1);
});

verifies('client:resume', 'a stream of messages on which nothing comes any more is opened again', async () => {
  await using service = await start();
  await using proxy = await openProxy(service.url);
  await service.call('POST', '/api/plans', plan);
  const waits = longWaits();
  using box = connect({ url: proxy.url, socket: false, later: waits.later });
  const { nodes } = await claimsHeardBy(box);
  const claim = claimIn(service);
  await claim('n1');
  await eventually(() => nodes).toEqual(['n1']);
  proxy.losesAnswers = true;
  await claim('n2');
  proxy.losesAnswers = false;
  waits.pass(40_000);
  await eventually(() => waits.waits()).toContain(1_000);
  waits.pass(1_000);
  await eventually(() => nodes).toEqual(['n1', 'n2']);
});

verifies('client:call', 'a token is sent with the socket and over REST, and a wrong one is refused', async () => {
  await using service = await startClosed();
  const ada = await service.named('ada', ['read']);
  using box = connect({ url: service.url, token: ada.token });
  expect(await box.call('list_plans', {})).toEqual([]);
  await expect(box.call('claim_next', { agent: 'ada' })).rejects.toMatchObject({ code: 'scope_required' });
  expect(await box.call('me', {})).toMatchObject({ name: 'ada', kind: 'named' });
  using wrong = connect({ url: service.url, token: 'a-token-that-nobody-made' });
  await expect(wrong.call('list_plans', {})).rejects.toMatchObject({ status: 401, code: 'token_invalid' });
});

verifies('client:call', 'a call that needs no input takes none, and an unknown message harms nobody', async () => {
  await using service = await start();
  using box = connect({ url: service.url });
  using overRest = connect({ url: service.url, socket: false });
  expect(await box.call('list_plans')).toEqual([]);
  expect(await overRest.call('list_plans')).toEqual([]);
  expect(await connectConsole({ url: service.consoleUrl }).call('list_runs')).toEqual([]);
  await box.call('create_plan', { document: plan });
  for (const one of [box, overRest]) {
    // A program in JavaScript may call it like this.
    const unknown = one.on('unknown' as 'plan_changed', () => undefined);
    const { nodes, off } = await claimsHeardBy(one);
    await expect(unknown.ready).rejects.toMatchObject({ code: 'invalid_request' });
    await claimIn(service)(one === box ? 'n1' : 'n2');
    await eventually(() => nodes).toContain(one === box ? 'n1' : 'n2');
    off();
    unknown();
  }
});
