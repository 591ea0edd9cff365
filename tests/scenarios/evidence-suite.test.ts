import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { observeSuite } from '../../packages/service/src/coordination/evidence/suite.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { runSample } from '../samples.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

type Run = {
  runId: string;
  tag?: string;
  suite?: string;
  branch?: string;
  repositoryName?: string;
  startedAt?: string;
};

const begin = (service: Started, { runId, startedAt = '2026-01-01T09:00:00.000Z', ...run }: Run) =>
  service.console('POST', '/api/ingest', {
    events: [
      { type: 'run_started', runId, suite: 'unit', repository: '/src/shop', mode: 'in-process', startedAt, ...run },
    ],
  });

async function end(
  service: Started,
  runId: string,
  outcome: 'CleanPass' | 'Failed' | null,
  exitCode = 0,
): Promise<void> {
  const failed = outcome === 'Failed' ? 1 : 0;
  const passed = outcome === 'CleanPass' ? 1 : 0;
  const at = '2026-01-01T09:00:01.000Z';
  const verdict =
    outcome === null
      ? []
      : [{ type: 'scenario_finished', runId, uid: 'Cart/total', outcome, attempts: 1, durationMs: 5, at }];
  const finish = {
    type: 'run_finished',
    runId,
    passed,
    failed,
    passedOnRetry: 0,
    indeterminate: 0,
    exitCode,
    finishedAt: at,
  };
  await service.console('POST', '/api/ingest', { events: [...verdict, finish] });
}

/** Evidence follows a run automatically; moving the clock makes sure that it has. */
async function nodeOf({ call, clock }: Started, id: string) {
  clock.advance(60_000);
  await clock.tick();
  return (await call('GET', '/api/plans/p/status')).body.nodes.find((node: { id: string }) => node.id === id);
}

const suite = (id: string, binding: object = {}) => ({ id, binding: { kind: 'suite', ...binding } });

verifies(
  [
    'binding:suite-default-tag',
    'binding:suite-done-when-clean',
    'binding:suite-failed-otherwise',
    'evidence:turns',
    'evidence:done-stays-while-running',
  ],
  'a suite published under the tag of its node turns it running, done, and back when a later run fails',
  async () => {
    await using service = await start({ settings: { OrphanSeconds: '100000' } });
    await service.call('POST', '/api/plans', { plan: 'p', nodes: [suite('n'), { id: 'after', dependsOn: ['n'] }] });
    await begin(service, { runId: 'r1', tag: 'P/N' });
    expect(await nodeOf(service, 'n')).toMatchObject({
      status: 'running',
      ready: false,
      evidence: { state: 'running', runId: 'r1' },
    });
    await end(service, 'r1', 'CleanPass');
    expect(await nodeOf(service, 'n')).toMatchObject({
      status: 'done',
      evidence: { state: 'passed', runId: 'r1', provenance: 'observed' },
    });
    expect((await nodeOf(service, 'after')).status).toBe('ready');
    await begin(service, { runId: 'r2', tag: 'p/n', startedAt: '2026-01-01T10:00:00.000Z' });
    expect(await nodeOf(service, 'n')).toMatchObject({ status: 'done', evidence: { state: 'running', runId: 'r2' } });
    await end(service, 'r2', 'Failed', 1);
    expect(await nodeOf(service, 'n')).toMatchObject({
      status: 'failed',
      ready: true,
      evidence: { state: 'failed', runId: 'r2' },
    });
    expect((await nodeOf(service, 'after')).status).toBe('blocked');
  },
);

verifies(
  [
    'proof:newest-by-arrival',
    'binding:suite-branch',
    'binding:suite-alone-needs-repository',
    'binding:suite-without-verdict-not-done',
  ],
  'the run that arrived last decides, of the branch and the repository that were asked for, and only with a verdict',
  async () => {
    await using service = await start();
    const nodes = [
      suite('tagged', { tag: 'nightly' }),
      suite('main', { suite: 'unit', branch: 'main' }),
      suite('empty', { tag: 'empty' }),
    ];
    await service.call('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', nodes });
    await begin(service, {
      runId: 'late',
      tag: 'nightly',
      startedAt: '2026-01-01T12:00:00.000Z',
      branch: 'feature',
      repositoryName: 'acme/shop',
    });
    await end(service, 'late', 'CleanPass');
    await begin(service, {
      runId: 'early',
      tag: 'nightly',
      startedAt: '2026-01-01T08:00:00.000Z',
      branch: 'main',
      repositoryName: 'acme/other',
    });
    await end(service, 'early', 'Failed', 1);
    expect(await nodeOf(service, 'tagged')).toMatchObject({ status: 'failed', evidence: { runId: 'early' } });
    expect(await nodeOf(service, 'main')).toMatchObject({ status: 'ready', evidence: { state: 'notObserved' } });
    await begin(service, { runId: 'empty', tag: 'empty' });
    await end(service, 'empty', null);
    expect(await nodeOf(service, 'empty')).toMatchObject({
      status: 'failed',
      evidence: { detail: expect.stringContaining('no verdict') },
    });
  },
);

verifies('binding:suite-failed-when-orphaned', 'a run that lost its publisher fails its node', async () => {
  await using service = await start();
  await service.call('POST', '/api/plans', { plan: 'p', nodes: [suite('lost')] });
  await begin(service, { runId: 'r2', tag: 'p/lost' });
  await nodeOf(service, 'lost');
  expect(await nodeOf(service, 'lost')).toMatchObject({ status: 'failed', evidence: { state: 'orphaned' } });
});

test('of runs with the same start time, or none, the one received last decides', () => {
  const run = (runId: string, lastEventAt: string, exitCode: number) =>
    runSample({ runId, lastEventAt, exitCode, green: exitCode === 0, tag: 't', startedAt: null });
  const runs = [run('r1', '2026-01-01T09:00:01.000Z', 0), run('r2', '2026-01-01T09:00:02.000Z', 1)];
  for (const known of [runs, runs.toReversed()])
    expect(observeSuite({ suite: { kind: 'suite', tag: 't' }, repository: null }, known)).toMatchObject({
      state: 'failed',
      runId: 'r2',
    });
});

verifies(
  'proof:unreadable',
  'archives that are removed, cut off or garbage, under a running and a starting service, hold up no proof and are named',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'signalbox-'));
    const runs = join(home, '.signalbox', 'runs');
    await mkdir(runs, { recursive: true });
    await writeFile(join(runs, 'garbage.ndjson'), '\u0000\u0001 nothing\n');
    const clock = createSettableClock();
    const settings = { OrphanSeconds: '100000' };
    const first = await start({ home, clock, settings });
    const states = async (service: Started) =>
      Object.fromEntries(
        (await service.console('GET', '/api/runs')).body.map((run: Run & { state: string }) => [run.runId, run.state]),
      );
    const prove = async (service: Started, id: string) => {
      await begin(service, { runId: id, tag: `p/${id}` });
      await end(service, id, 'CleanPass');
      expect((await service.call('GET', `/api/plans/p/nodes/${id}`)).body.status, id).toBe('done');
    };
    const named = async ({ call }: Started): Promise<string[]> =>
      (await call('GET', '/api/needs')).body.needs.flatMap(({ kind, runId }: { kind: string; runId: string }) =>
        kind === 'run_unreadable' ? [runId] : [],
      );
    while (!('garbage' in (await states(first)))) await clock.tick();
    const ids = ['gone', 'cut', 'later-gone', 'later-cut', 'after', 'again'];
    await first.call('POST', '/api/plans', { plan: 'p', nodes: ids.map((id) => suite(id)) });
    for (const id of ids.slice(0, 4)) await prove(first, id);
    // The rows, which a start and the check use to know the length of an archive, are written each second.
    clock.advance(1000);
    await clock.tick();
    await rm(join(runs, 'gone.ndjson'));
    await truncate(join(runs, 'cut.ndjson'), 40);
    clock.advance(5000);
    await clock.tick();
    await expect.poll(() => named(first)).toEqual(expect.arrayContaining(['garbage', 'gone', 'cut']));
    expect(await states(first)).toMatchObject({ gone: 'unreadable', cut: 'unreadable', 'later-gone': 'finished' });
    await prove(first, 'after');
    expect(first.logged().match(/cannot be read/g)).toHaveLength(3);
    await first.stop();
    await rm(join(runs, 'later-gone.ndjson'));
    await truncate(join(runs, 'later-cut.ndjson'), 40);

    await using second = await start({ home, clock, settings });
    await prove(second, 'again');
    const unreadable = ['cut', 'garbage', 'gone', 'later-cut', 'later-gone'];
    expect((await named(second)).sort()).toEqual(unreadable);
    const { nodes } = (await second.call('GET', '/api/plans/p/status')).body;
    expect(nodes.map(({ status }: { status: string }) => status)).toEqual(ids.map(() => 'done'));
    const [run] = (await second.console('GET', '/api/runs?state=unreadable&search=garbage')).body;
    expect(run).toMatchObject({ runId: 'garbage', green: null, counted: false });
    expect((await second.console('GET', '/api/runs/later-gone')).body.code).toBe('store_unavailable');
    for (const id of unreadable) expect((await second.console('DELETE', `/api/runs/${id}`)).status, id).toBe(204);
    expect(await states(second)).toEqual({ after: 'finished', again: 'finished' });
    await second.stop();
    await rm(home, { recursive: true, force: true });
  },
);
