import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { recorded, recordedRunId, smallRun } from '../recorded-run.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const send = (service: Started, events: readonly object[]) => service.console('POST', '/api/ingest', { events });
const list = async (service: Started, query = '') => (await service.console('GET', `/api/runs${query}`)).body;
const ids = async (service: Started, query = '') =>
  (await list(service, query)).map(({ runId }: { runId: string }) => runId);
const detail = async (service: Started, runId: string) => (await service.console('GET', `/api/runs/${runId}`)).body;
const told = (...events: object[]) => events.map((event) => ({ runId: 'r1', ...event }));

verifies(
  ['runs:list', 'runs:by-tag', 'runs:by-suite', 'runs:by-repository', 'runs:by-state', 'run:repository-name'],
  'runs are listed newest start first, and found by tag, suite, repository and state',
  async () => {
    const root = await mkdtemp(join(tmpdir(), 'signalbox-repository-'));
    await mkdir(join(root, '.git'));
    await writeFile(join(root, '.git', 'config'), '[remote "origin"]\n\turl = git@github.com:Acme/Shop.git\n');
    await using service = await start();
    await send(service, smallRun('old', { startedAt: '2025-12-01T00:00:00Z', tag: 'plan/node' }));
    await send(service, smallRun('new', { startedAt: '2026-01-01T00:00:00Z', repository: root, suite: 'web' }));
    await send(service, smallRun('live', { startedAt: '2025-12-15T00:00:00Z', finished: false }));
    await send(service, [{ type: 'run_heartbeat', runId: 'unstarted' }]);
    expect(await ids(service)).toEqual(['new', 'live', 'old', 'unstarted']);
    expect(await ids(service, '?limit=2&offset=1')).toEqual(['live', 'old']);
    expect(await ids(service, '?tag=plan/node')).toEqual(['old']);
    expect(await ids(service, '?tag=PLAN/node')).toEqual([]);
    expect(await ids(service, '?suite=web')).toEqual(['new']);
    expect(await ids(service, `?repository=${encodeURIComponent(root)}`)).toEqual(['new']);
    expect(await ids(service, '?repository=acme/shop')).toEqual(['new']);
    expect(await ids(service, '?state=running')).toEqual(['live', 'unstarted']);
    expect(await ids(service, '?suite=(unknown suite)&repository=(unknown)')).toEqual(['unstarted']);
    expect((await service.console('GET', '/api/runs?state=paused')).status).toBe(400);
    expect((await list(service)).map((run: { repositoryName: string }) => run.repositoryName)).toEqual([
      'Acme/Shop',
      null,
      null,
      null,
    ]);
    await rm(root, { recursive: true });
  },
);

verifies(
  [
    'run:summary-members',
    'run:live-counts',
    'run:lost-zero-while-running',
    'run:final-counts',
    'run:running-zero-when-ended',
    'run:skipped-sent',
    'run:skipped-counted',
    'run:lost',
    'run:expected-ms',
  ],
  'a run counts for itself while it lives, and speaks with the figures of its publisher after',
  async () => {
    await using service = await start();
    const outcomes = ['CleanPass', 'PassOnRetry', 'Failed', 'Aborted', 'Skipped'];
    await send(service, smallRun('r1', { outcomes, finished: false, totalScenarios: 9, session: 's1' }));
    await send(service, told({ type: 'scenario_started', uid: 'Cart/open', attempt: 1 }));
    const [live] = await list(service);
    expect(live).toEqual({
      runId: 'r1',
      host: expect.any(String),
      suite: 'specs',
      repository: '/src/shop',
      repositoryName: null,
      branch: null,
      mode: 'in-process',
      tag: null,
      session: 's1',
      command: null,
      state: 'running',
      finished: false,
      orphaned: false,
      exitCode: null,
      green: null,
      scenarios: 6,
      scenariosFinished: 5,
      totalScenarios: 9,
      running: 1,
      passed: 1,
      failed: 2,
      passedOnRetry: 1,
      skipped: 1,
      indeterminate: 0,
      lost: 0,
      startedAt: '2026-01-01T08:00:00.000Z',
      finishedAt: null,
      lastEventAt: '2026-01-01T09:00:00.000Z',
      expectedMs: null,
      counted: true,
      commit: null,
      dirty: null,
      repositoryId: null,
      interrupted: null,
      publisher: null,
      trust: 'local',
      receivedAt: '2026-01-01T09:00:00.000Z',
      endedAt: null,
      clockSkewMs: null,
      late: 0,
    });
    const finish = { type: 'run_finished', exitCode: 2, passed: 7, failed: 3, passedOnRetry: 4, indeterminate: 1 };
    await send(service, told({ ...finish, finishedAt: '2026-01-01T08:00:20Z' }));
    expect((await list(service))[0]).toMatchObject({
      state: 'finished',
      exitCode: 2,
      passed: 6,
      failed: 3,
      passedOnRetry: 4,
      skipped: 1,
      indeterminate: 1,
      running: 0,
      lost: 3,
      expectedMs: 20_000,
    });
    const other = { runId: 'other', suite: 'other', repository: '/src/other' };
    await send(service, [
      { type: 'run_started', ...other },
      { ...finish, skipped: 2, runId: 'other' },
    ]);
    expect((await list(service, '?suite=other'))[0]).toMatchObject({ passed: 7, skipped: 2 });
    await send(service, smallRun('r2', { startedAt: '2026-01-01T08:30:00Z' }));
    await send(service, smallRun('r3', { startedAt: '2026-01-01T08:40:00Z', finished: false }));
    expect((await list(service, '?state=running'))[0]).toMatchObject({ runId: 'r3', expectedMs: 15_000 });
    expect((await detail(service, 'r3')).scenarios).toMatchObject([{ uid: 'Cart/0', expectedMs: 5 }]);
  },
);

verifies(
  [
    'scenario:members',
    'scenario:step-members',
    'scenario:attempts-history',
    'scenario:retried-without-verdict',
    'scenario:pass-on-retry',
    'run:touched-types',
    'fold:identical-steps-of-two-attempts',
    'fold:retries-by-next-attempt',
    'fold:steps-by-pairing',
    'fold:skipped-scenario',
    'fold:skipped-test',
  ],
  'a scenario shows its steps, its earlier attempts and what it touched',
  async () => {
    await using service = await start();
    await send(service, recorded);
    const { scenarios } = await detail(service, recordedRunId);
    const named = (uid: string) => scenarios.find((scenario: { uid: string }) => scenario.uid === uid);
    expect(Object.keys(named('Payment/Paying by card')).sort()).toEqual(
      [
        ...[
          'uid',
          'feature',
          'scenario',
          'outcome',
          'attempt',
          'attempts',
          'durationMs',
          'errorMessage',
          'retryReasons',
        ],
        ...[
          'steps',
          'touchedTypes',
          'finishedAt',
          'state',
          'attemptsHistory',
          'declaredSteps',
          'plannedSteps',
          'reports',
        ],
        ...[
          'expectedMs',
          'totalSteps',
          'file',
          'line',
          'startedAt',
          'lane',
          'column',
          'project',
          'path',
          'order',
          'tags',
        ],
        ...['skipReason', 'todo', 'errors', 'attachments', 'stdout', 'stderr', 'stdoutMs', 'stderrMs', 'rerun'],
      ].sort(),
    );
    const paid = named('Payment/Paying by card');
    expect(paid).toMatchObject({ outcome: 'PassOnRetry', attempt: 2, retryReasons: ['gateway timeout is transient'] });
    expect(paid.attemptsHistory).toMatchObject([{ attempt: 1, outcome: 'Failed', disposition: 'RetryInProcess' }]);
    expect(paid.attemptsHistory[0].steps[0]).toEqual(paid.steps[0]);
    const added = named('Cart/Adding an item');
    expect(added.steps[1]).toMatchObject({ stepNumber: 2, logs: ['added 2 apples'], cells: [], progress: null });
    expect(added.steps[3].cells).toHaveLength(2);
    expect(added.touchedTypes[0]).toEqual({ name: 'Cart', fullName: 'Acme.Shop.Cart', assemblyName: 'Acme.Shop' });
    expect(named('Shipping/Choosing a carrier')).toMatchObject({ outcome: 'PassOnRetry', attempts: 2 });
    expect(named('Payment/Paying twice').steps[0].progress).toMatchObject({ message: 'waiting for the gateway' });
    expect(named('Cart/Emptying the cart')).toMatchObject({ outcome: 'Skipped', state: null });
    expect(named('Acme.OrderTests.later')).toMatchObject({ outcome: 'Skipped', state: 'Skipped' });
  },
);

verifies('fold:steps-by-attempt-and-number', 'a step that names its attempt and number is found by them', async () => {
  await using service = await start();
  const step = { uid: 'A/b', stepId: 'same', attempt: 1 };
  await send(
    service,
    told(
      { type: 'scenario_started', uid: 'A/b', attempt: 1 },
      { type: 'step_started', ...step, text: 'one', stepNumber: 1 },
      { type: 'step_started', ...step, text: 'two', stepNumber: 2 },
      { type: 'step_finished', ...step, status: 'failed', stepNumber: 2 },
    ),
  );
  const [{ steps }] = (await detail(service, 'r1')).scenarios;
  expect(steps.map(({ text, status }: { text: string; status: string }) => [text, status])).toEqual([
    ['one', 'running'],
    ['two', 'failed'],
  ]);
});

verifies(
  ['ping:at-once', 'limits:batch-does-not-hold-up-ping', 'limits:import-model-ingest'],
  'pings are answered while a batch at the limit is taken in, and one beyond it is refused',
  async () => {
    await using service = await start({ clock: systemClock });
    const event = {
      type: 'scenario_finished',
      runId: 'r1',
      outcome: 'CleanPass',
      attempts: 1,
      errorMessage: 'x'.repeat(80),
    };
    const events = Array.from({ length: 40_000 }, (_, index) => ({ ...event, uid: `Feature/${index}` }));
    const body = JSON.stringify({ events });
    expect(body.length).toBeGreaterThan(7 * 1024 * 1024);
    let done = false;
    const taken = service.console('POST', '/api/ingest', body).finally(() => {
      done = true;
    });
    let pings = 0;
    while (!done) {
      expect((await service.console('GET', '/api/ping')).status).toBe(200);
      pings += 1;
    }
    expect((await taken).body).toEqual({ accepted: 40_000, ignored: 0, rejected: [] });
    // If the ping had to wait for the whole batch, it would have been the only one.
    expect(pings).toBeGreaterThan(3);
    const larger = await service.console('POST', '/api/ingest', `${body}${' '.repeat(2 * 1024 * 1024)}`);
    expect(larger).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  },
);

verifies(
  'boot:within-seconds',
  'many archives are listed soon after a start, with and without their indexes',
  async () => {
    await using first = await start({ settings: { RetentionRuns: '0' } });
    const folder = join(first.dataPath, 'runs');
    await first.stop();
    const text = (runId: string) =>
      smallRun(runId)
        .map((event) => JSON.stringify(event))
        .join('\n');
    for (let number = 0; number < 400; number += 1)
      await writeFile(join(folder, `run-${number}.ndjson`), `${text(`run-${number}`)}\n`);
    for (let round = 0; round < 2; round += 1) {
      await using service = await start({ home: first.home, settings: { RetentionRuns: '0', RetentionDays: '0' } });
      expect(await list(service)).toHaveLength(400);
      await service.stop();
    }
  },
);
