import { expect } from 'vitest';
import { connect, type WorkHandler, type WorkOptions } from '../../packages/service/src/client/index.ts';
import { range } from '../hub/announcing.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { longWaits } from './long-waits.ts';
import { openProxy } from './proxy.ts';

const eventually = <Value>(read: () => Value) => expect.poll(read);
const signOff = { kind: 'signOff' as const };
const shop = (count: number) => ({
  plan: 'shop',
  nodes: range(1, count).map((n) => ({ id: `n${n}`, binding: signOff })),
});

async function startWork(count: number) {
  const service = await start();
  const waits = longWaits();
  await service.call('POST', '/api/plans', shop(count));
  const box = connect({ url: service.url, later: waits.later });
  const close = async () => {
    box.close();
    await service[Symbol.asyncDispose]();
  };
  return { service, box, waits, [Symbol.asyncDispose]: close };
}

const statusOf = async ({ call }: Started, node: string) => (await call('GET', `/api/plans/shop/nodes/${node}`)).body;
const ada: WorkOptions = { agent: 'ada', signals: false };

verifies(
  ['worker:takes-ready-nodes', 'worker:stops-in-order'],
  'three at a time, every node once, in the order of readiness, and nothing is held at the end',
  async () => {
    await using on = await startWork(10);
    const taken: string[] = [];
    let [atOnce, most] = [0, 0];
    const worker = on.box.work({ ...ada, concurrency: 3, onIdle: () => void worker.stop() }, async ({ node }) => {
      taken.push(node.id);
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setTimeout(resolve, 5));
      atOnce -= 1;
    });
    await worker.done;
    expect(taken.toSorted()).toEqual(
      shop(10)
        .nodes.map(({ id }) => id)
        .toSorted(),
    );
    expect([taken[0], most]).toEqual(['n1', 3]);
    const { nodes } = (await on.service.call('GET', '/api/plans/shop/status')).body;
    expect(nodes.map(({ claimedBy }: { claimedBy: unknown }) => claimedBy)).toEqual(range(1, 10).map(() => null));
  },
);

verifies('worker:one-flush', 'giving back and taking the next are committed together', async () => {
  await using on = await startWork(3);
  const flushes: string[][] = [];
  on.service.running.coordination.ctx.log.onCommitted((events) => flushes.push(events.map(({ type }) => type)));
  const worker = on.box.work({ ...ada, onIdle: () => void worker.stop() }, () => undefined);
  await worker.done;
  expect(flushes.slice(0, 4)).toEqual([
    ['node_claimed'],
    ['claim_released', 'node_submitted', 'node_claimed'],
    ['claim_released', 'node_submitted', 'node_claimed'],
    ['claim_released', 'node_submitted'],
  ]);
});

/** Works on one node, with a function that waits for the test. */
function holdOne(on: Awaited<ReturnType<typeof startWork>>, options: Partial<WorkOptions> = {}) {
  const begun = Promise.withResolvers<Parameters<WorkHandler>[1]>();
  const ends = Promise.withResolvers<void>();
  const worker = on.box.work({ ...ada, ...options }, async (_, help) => {
    begun.resolve(help);
    await ends.promise;
  });
  return { worker, begun: begun.promise, end: ends.resolve, fail: ends.reject };
}

verifies('worker:renews', 'a lease is renewed before half of it is over, and its note stays', async () => {
  await using on = await startWork(1);
  const { worker, begun, end } = holdOne(on, { leaseMinutes: 10 });
  const { report } = await begun;
  await report('half way', { session: 's1' });
  expect(Math.min(...on.waits.waits())).toBeLessThan(5 * 60_000);
  on.service.clock.advance(4 * 60_000);
  on.waits.pass(5 * 60_000);
  await eventually(async () => (await statusOf(on.service, 'n1')).claim.expiresAt).toBe(
    new Date(on.service.clock.wall() + 10 * 60_000).toISOString(),
  );
  expect((await statusOf(on.service, 'n1')).claim).toMatchObject({ note: 'half way', session: 's1' });
  end();
  await worker.stop();
});

verifies(
  'worker:lost-claim-aborts',
  'the function learns that another took its claim, which is left alone',
  async () => {
    await using on = await startWork(1);
    const errors: unknown[] = [];
    const { worker, begun, fail } = holdOne(on, { leaseMinutes: 10, onError: (error) => errors.push(error) });
    const { signal } = await begun;
    on.service.clock.advance(11 * 60_000);
    const claim = await on.service.call('POST', '/api/plans/shop/nodes/n1/claim', { agent: 'bob' });
    expect(claim.status).toBe(200);
    on.waits.pass(5 * 60_000);
    await eventually(() => signal.aborted).toBe(true);
    expect((signal.reason as Error).message).toContain('bob holds shop/n1');
    fail(signal.reason);
    await worker.stop();
    expect(await statusOf(on.service, 'n1')).toMatchObject({ claimedBy: 'bob' });
    expect(errors).toHaveLength(1);
  },
);

verifies('worker:lost-claim-aborts', 'a lease that could not be renewed is taken as lost when it ends', async () => {
  await using on = await startWork(1);
  const { worker, begun, end } = holdOne(on, { leaseMinutes: 10 });
  const { signal } = await begun;
  await on.service.stop();
  on.waits.pass(10 * 60_000);
  expect((signal.reason as Error).message).toContain('lease ended');
  end();
  worker.stop().catch(() => undefined);
});

verifies(
  'worker:note-on-failure',
  'what a function throws is kept beside its note, and the worker goes on',
  async () => {
    await using on = await startWork(2);
    const failed: string[] = [];
    const onError: WorkOptions['onError'] = (_, { node }) => failed.push(node.id);
    const worker = on.box.work({ ...ada, onError }, async ({ node }, { report }) => {
      if (node.id === 'n2') return;
      await report('got as far as the parser');
      throw new Error('the compiler is missing');
    });
    await eventually(async () => (await statusOf(on.service, 'n2')).status).toBe('submitted');
    await worker.stop();
    expect(failed).toEqual(['n1']);
    expect(await statusOf(on.service, 'n1')).toMatchObject({
      claimedBy: null,
      status: 'ready',
      lastClaim: { agent: 'ada', note: 'got as far as the parser', error: 'the compiler is missing' },
    });
    expect(await statusOf(on.service, 'n2')).toMatchObject({ status: 'submitted', submission: { agent: 'ada' } });
  },
);

verifies(
  ['worker:idle-by-messages', 'worker:takes-ready-nodes'],
  'an idle worker of many sends nothing until something changes, then takes what is ready',
  async () => {
    await using service = await start();
    await using proxy = await openProxy(service.url);
    const waits = longWaits();
    using box = connect({ url: proxy.url, later: waits.later });
    const taken: string[] = [];
    const idle = Promise.withResolvers<void>();
    const worker = box.work({ ...ada, concurrency: 8, onIdle: idle.resolve }, ({ node }) => void taken.push(node.ref));
    await idle.promise;
    const sent = proxy.sent;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(proxy.sent).toBe(sent);
    await service.call('POST', '/api/plans', shop(3));
    await eventually(() => taken.length).toBe(3);
    // A node that another worker releases can be claimed again.
    await service.call('POST', '/api/plans', {
      plan: 'late',
      nodes: [{ id: 'n1', binding: signOff, dependsOn: ['shop/n2'] }],
    });
    await service.call('POST', '/api/plans/shop/nodes/n2/sign-off', { by: 'ida' });
    await eventually(() => taken).toContain('late/n1');
    proxy.cut();
    await service.call('POST', '/api/plans', { plan: 'again', nodes: [{ id: 'n1', binding: signOff }] });
    await eventually(() => taken).toContain('again/n1');
    await worker.stop();
  },
);

verifies('worker:stops-in-order', 'a stop waits for its functions, and aborts them on request', async () => {
  await using on = await startWork(3);
  const held = holdOne(on);
  await held.begun;
  let stopped = false;
  const stop = held.worker.stop().then(() => {
    stopped = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(stopped).toBe(false);
  held.end();
  await stop;
  const patient = on.box.work({ ...ada, label: undefined as never }, async (_, { signal, report }) => {
    await report('half way');
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  await eventually(async () => (await statusOf(on.service, 'n2')).claim?.note).toBe('half way');
  await patient.stop(10);
  const given = await statusOf(on.service, 'n2');
  expect(given).toMatchObject({ status: 'ready', claimedBy: null, lastClaim: { note: 'half way' } });
  expect(given.lastClaim.error).toBeUndefined();
});

verifies('worker:takes-ready-nodes', 'a worker without the right to claim reports it', async () => {
  await using service = await start({ settings: { Licence: 'nonsense' } });
  using box = connect({ url: service.url });
  await expect(box.work(ada, () => undefined).done).rejects.toMatchObject({ status: 402 });
});
