import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import {
  type Box,
  connect,
  type WorkAborted,
  type WorkHelp,
  type WorkOptions,
} from '../../packages/service/src/client/index.ts';
import { signalbox } from '../spawn.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const eventually = <Value>(read: () => Value) => expect.poll(read);
const signOff = { kind: 'signOff' as const };

let service: Started;
let box: Box;
beforeAll(async () => {
  service = await start({ clock: systemClock });
  box = connect({ url: service.url });
});
afterAll(async () => {
  box.close();
  await service[Symbol.asyncDispose]();
});

const statusOf = async (ref: string) => (await service.call('GET', `/api/plans/${ref.replace('/', '/nodes/')}`)).body;
const planOf = (plan: string, ...nodes: { id: string; dependsOn?: string[] }[]) =>
  service.call('POST', '/api/plans', { plan, nodes: nodes.map((node) => ({ ...node, binding: signOff })) });
const approve = (ref: string) =>
  service.call('POST', `/api/plans/${ref.replace('/', '/nodes/')}/sign-off`, { by: 'ida' });
const options = (plan: string): WorkOptions => ({ agent: 'ada', plan, signals: false });

/** A function that ends only when it is aborted, if it listens for that. */
async function holding(plan: string, how: { deaf?: boolean } & Partial<WorkOptions> = {}) {
  const { deaf = false, ...more } = how;
  const begun = Promise.withResolvers<WorkHelp>();
  const seen: WorkAborted[] = [];
  const worker = box.work({ ...options(plan), ...more }, async (_, help) => {
    await help.report('step 1 of 3');
    begun.resolve(help);
    help.signal.addEventListener('abort', () => seen.push(help.signal.reason));
    await new Promise((_resolve, reject) => {
      if (!deaf) help.signal.addEventListener('abort', () => reject(help.signal.reason));
    });
  });
  await begun.promise;
  return { worker, seen };
}

verifies(
  ['worker:defer', 'worker:result', 'worker:progress'],
  'a function ends by what it returns, by defer or by fail, and each leaves the note as it was',
  async () => {
    await planOf('ends', { id: 'made' }, { id: 'later' }, { id: 'never' }, { id: 'after', dependsOn: ['made'] });
    const inputs: unknown[] = [];
    const progress: unknown[] = [];
    const worker = box.work(options('ends'), async ({ node, inputs: given }, help) => {
      if (node.id === 'after') return void inputs.push(...given);
      await help.progress(0.4, `note of ${node.id}`);
      progress.push((await statusOf(node.ref)).claim.progress);
      if (node.id === 'later') help.defer({ reason: 'the API is down' });
      if (node.id === 'never') help.fail('no such branch');
      return { pages: 3 };
    });
    await eventually(async () => (await statusOf('ends/never')).lastClaim?.error).toBe('no such branch');
    await eventually(async () => (await statusOf('ends/made')).status).toBe('submitted');
    expect(progress).toEqual([0.4, 0.4, 0.4]);
    expect(await statusOf('ends/later')).toMatchObject({
      status: 'ready',
      lastClaim: { note: 'note of later', error: 'the API is down' },
    });
    expect((await statusOf('ends/later')).notBefore).not.toBeNull();
    expect(await statusOf('ends/never')).toMatchObject({
      attempts: { failed: 1 },
      lastClaim: { note: 'note of never' },
    });
    await approve('ends/made');
    await eventually(() => inputs).toEqual([{ ref: 'ends/made', result: { pages: 3 }, note: 'note of made' }]);
    await worker.stop();
  },
);

verifies('worker:aborts', 'a function hears why its work is to end, without waiting for a renewal', async () => {
  const change: Record<string, (ref: string) => Promise<unknown>> = {
    node_removed: (ref) => service.call('DELETE', `/api/plans/${ref.replace('/', '/nodes/')}?force=true`),
    node_changed: (ref) =>
      service.call('PUT', `/api/plans/${ref.replace('/', '/nodes/')}`, { description: 'now in minor units' }),
    plan_archived: (ref) => service.call('DELETE', `/api/plans/${ref.split('/')[0]}`),
    claim_lost: (ref) => service.call('POST', `/api/plans/${ref.replace('/', '/nodes/')}/release`, { agent: 'ada' }),
  };
  for (const [code, happen] of Object.entries(change)) {
    const plan = code.replace('_', '-');
    await planOf(plan, { id: 'a' });
    const { worker, seen } = await holding(plan);
    await happen(`${plan}/a`);
    await eventually(() => seen.map((reason) => reason.code)).toEqual([code]);
    await worker.stop(0);
    if (code !== 'node_removed') expect((await statusOf(`${plan}/a`)).claimedBy).toBeNull();
  }
  expect((await statusOf('node-changed/a')).lastClaim).toMatchObject({ note: 'step 1 of 3', how: 'released' });
});

verifies(
  'worker:archived-plan',
  'an archived plan leaves the worker running, and it goes on when restored',
  async () => {
    await planOf('stored', { id: 'a' });
    const taken: string[] = [];
    const worker = box.work(options('stored'), ({ node }) => void taken.push(node.id));
    await eventually(() => taken).toEqual(['a']);
    await service.call('DELETE', '/api/plans/stored');
    await planOf('other', { id: 'x' });
    const nodes = ['a', 'b'].map((id) => ({ id, binding: signOff }));
    await service.call('PUT', '/api/plans/stored', { plan: 'stored', nodes });
    await eventually(() => taken).toEqual(['a', 'b']);
    await worker.stop();
  },
);

verifies('worker:timeout', 'a function that hangs longer than timeoutMs fails, and the worker goes on', async () => {
  await planOf('slow', { id: 'a' }, { id: 'b' });
  const taken: string[] = [];
  const worker = box.work({ ...options('slow'), timeoutMs: 1_000 }, async ({ node }, { report }) => {
    taken.push(node.id);
    await report('begun');
    if (node.id === 'a') await new Promise(() => undefined);
  });
  await eventually(() => taken).toEqual(['a', 'b']);
  expect(await statusOf('slow/a')).toMatchObject({
    status: 'ready',
    attempts: { failed: 1 },
    lastClaim: { note: 'begun', error: 'The function took longer than 1000 ms.' },
  });
  await worker.stop();
});

verifies('worker:grace', 'a function that hangs after a stop holds nothing, and its note stays', async () => {
  await planOf('deaf', { id: 'a' });
  const { worker, seen } = await holding('deaf', { deaf: true });
  await worker.stop(10);
  await worker.done;
  expect(seen.map(({ code }) => code)).toEqual(['stopped']);
  expect(await statusOf('deaf/a')).toMatchObject({
    status: 'ready',
    claimedBy: null,
    lastClaim: { note: 'step 1 of 3' },
  });
  expect((await statusOf('deaf/a')).attempts.failed).toBe(0);
});

verifies('worker:wait', 'a function waits for another node while its claim is kept', async () => {
  await planOf('waits', { id: 'a' }, { id: 'b' });
  const ended: string[] = [];
  const worker = box.work({ ...options('waits'), concurrency: 2 }, async ({ node }, { wait }) => {
    if (node.id === 'b') await wait('a');
    ended.push(node.id);
  });
  await eventually(() => ended).toEqual(['a']);
  expect((await statusOf('waits/b')).claimedBy).toBe('ada');
  await approve('waits/a');
  await eventually(() => ended).toEqual(['a', 'b']);
  await worker.stop();
});

verifies('worker:idle-once', 'a worker is idle once, not between layers, and reports when a plan is done', async () => {
  await service.call('POST', '/api/plans', {
    plan: 'layers',
    nodes: [
      { id: 'a', binding: { kind: 'suite' } },
      { id: 'b', binding: signOff, dependsOn: ['a'] },
    ],
  });
  const heard: string[] = [];
  const worker = box.work(
    {
      ...options('layers'),
      onIdle: () => void heard.push('idle'),
      onPlanDone: (plan) => void heard.push(`${plan} done`),
    },
    ({ node }) => void heard.push(node.id),
  );
  await eventually(async () => (await statusOf('layers/a')).status).toBe('submitted');
  const run = [
    { type: 'run_started', runId: 'r1', suite: 'unit', tag: 'layers/a', totalScenarios: 1 },
    { type: 'scenario_finished', runId: 'r1', uid: 'A/b', outcome: 'CleanPass', attempts: 1 },
    { type: 'run_finished', runId: 'r1', exitCode: 0, passed: 1, failed: 0 },
  ];
  await service.console('POST', '/api/ingest', { events: run });
  await eventually(() => heard).toEqual(['a', 'b', 'idle']);
  await approve('layers/b');
  await eventually(() => heard).toEqual(['a', 'b', 'idle', 'layers done']);
  await worker.stop();
});

verifies(
  ['worker:grace', 'worker:stops-in-order'],
  'SIGTERM to a fleet of 30 leaves every note as it was, also where functions hang',
  async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `n${n}`);
    await planOf('fleet', ...ids.map((id) => ({ id })));
    const program = new URL('./thirty-workers.ts', import.meta.url).pathname;
    await using fleet = signalbox([], { BOX: service.url }, undefined, program);
    const notes = async () => (await service.call('GET', '/api/plans/fleet/status')).body.nodes;
    await eventually(
      async () => (await notes()).filter(({ claim }: { claim: { note?: string } | null }) => claim?.note).length,
    ).toBe(30);
    fleet.child.kill('SIGTERM');
    expect(await fleet.ended).toBeNull();
    expect(fleet.err()).toBe('');
    const left = (await notes()).map((node: { id: string; claimedBy: string | null; lastClaim: { note: string } }) => [
      node.id,
      node.claimedBy,
      node.lastClaim.note,
    ]);
    expect(left).toEqual(ids.map((id) => [id, null, `half of ${id}`]));
  },
);
