import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { observeAgain } from '../evidence-clone.ts';
import { type Started, type StartOptions, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const token = 'a-token-of-the-operator';
const operator = { authorization: `Bearer ${token}` };

/** A service with one node, bound to a suite that already has an honest run. */
async function prepared(binding: object = {}, options: StartOptions = {}): Promise<Started> {
  const service = await start({ ...options, settings: { OrphanSeconds: '100000', ...options.settings } });
  const nodes = [{ id: 'n', binding: { kind: 'suite', ...binding } }];
  await service.call('POST', '/api/plans', { plan: 'p', nodes }, operator);
  return service;
}

const send = async (service: Started, events: object[], headers = operator as Record<string, string>) =>
  (await service.console('POST', '/api/ingest', { events }, headers)).body;
const run = async (service: Started, runId: string) =>
  (await service.console('GET', `/api/runs/${runId}`, undefined, operator)).body.run;
const node = async (service: Started) => {
  await observeAgain(service);
  return (await service.call('GET', '/api/plans/p/status', undefined, operator)).body.nodes[0];
};

const began = (runId: string, more: object = {}) => ({
  type: 'run_started',
  runId,
  suite: 'unit',
  tag: 'p/n',
  startedAt: '2026-01-01T09:00:00.000Z',
  ...more,
});
const verdict = (runId: string, outcome: string, uid = 'Cart/total') => ({
  type: 'scenario_finished',
  runId,
  uid,
  outcome,
  attempts: 1,
  durationMs: 5,
  at: '2026-01-01T09:00:01.000Z',
});
const ended = (runId: string, exitCode = 0, more: object = {}) => ({
  type: 'run_finished',
  runId,
  exitCode,
  passed: exitCode === 0 ? 1 : 0,
  failed: exitCode === 0 ? 0 : 1,
  passedOnRetry: 0,
  indeterminate: 0,
  finishedAt: '2026-01-01T09:00:02.000Z',
  ...more,
});
const failing = (runId: string) => [began(runId), verdict(runId, 'Failed'), ended(runId, 1)];
const passing = (runId: string, more: object = {}) => [began(runId, more), verdict(runId, 'CleanPass'), ended(runId)];
const late = (runId: string) => `run ${runId} has ended; publish under a new run id`;

verifies(
  ['proof:newest-by-arrival', 'proof:skewed-times', 'proof:counted-pass'],
  'a run that says it began in the year 9999 neither stays the newest nor proves anything without a verdict',
  async () => {
    await using service = await prepared();
    const end = ended('future', 0, { passed: 0 });
    await send(service, [began('future', { startedAt: '9999-12-31T00:00:00.000Z' }), end]);
    expect(await node(service)).toMatchObject({
      status: 'failed',
      evidence: { detail: 'unit did not pass: no verdict counted as a pass' },
    });
    expect(await run(service, 'future')).toMatchObject({
      green: false,
      startedAt: '2026-01-01T09:00:00.000Z',
      receivedAt: '2026-01-01T09:00:00.000Z',
      clockSkewMs: Date.parse('9999-12-31T00:00:00.000Z') - Date.parse('2026-01-01T09:00:00.000Z'),
    });
    await send(service, passing('honest'));
    expect(await node(service)).toMatchObject({ status: 'done', evidence: { runId: 'honest' } });
    await send(service, failing('later'));
    expect(await node(service)).toMatchObject({ status: 'failed', evidence: { runId: 'later' } });
    await send(service, passing('newest', { startedAt: '2026-01-01T09:00:01.000Z' }));
    expect((await service.call('GET', '/api/runs', undefined, operator)).body[0].runId).toBe('newest');
  },
);

verifies(
  ['proof:end-is-end', 'proof:repeat-is-not-late'],
  'a second end turns no failed run green, restart included, and the same batch sent again is a repeat',
  async () => {
    await using service = await prepared();
    await send(service, failing('r1'));
    expect(await send(service, [verdict('r1', 'CleanPass', 'Cart/other'), ended('r1')])).toEqual({
      accepted: 1,
      ignored: 0,
      rejected: [{ index: 1, message: late('r1') }],
    });
    expect(await run(service, 'r1')).toMatchObject({ exitCode: 1, green: false, late: 1 });
    expect(await send(service, failing('r1'))).toEqual({ accepted: 3, ignored: 0, rejected: [] });
    expect(await node(service)).toMatchObject({ status: 'failed' });
    await service.stop();
    const database = new DatabaseSync(join(service.dataPath, 'runs.sqlite'), { readOnly: true });
    expect(database.prepare('SELECT run, event FROM late').all()).toEqual([
      { run: 'r1', event: expect.stringContaining('"type":"run_finished"') },
    ]);
    database.close();
    await using again = await start({ home: service.home, clock: service.clock });
    await expect.poll(async () => (await run(again, 'r1')).counted).toBe(true);
    expect(await run(again, 'r1')).toMatchObject({ exitCode: 1, green: false, late: 1, scenarios: 2 });
  },
);

verifies(
  ['proof:end-is-end', 'proof:said-stays-said'],
  'a run is not re-tagged, moved to another suite, branch, repository or commit, or given to another session',
  async () => {
    await using service = await prepared();
    const said = {
      suite: 'lint',
      tag: 'lint',
      branch: 'main',
      repository: '/src/a',
      session: 's-1',
      commit: 'abc1234',
    };
    const other = {
      suite: 'unit',
      tag: 'p/n',
      branch: 'evil',
      repository: '/src/b',
      session: 's-2',
      commit: 'def5678',
    };
    await send(service, [began('r1', said), verdict('r1', 'CleanPass')]);
    expect(await send(service, [began('r1', { ...other, totalScenarios: 4, dirty: true })])).toMatchObject({
      accepted: 1,
    });
    expect(await run(service, 'r1')).toMatchObject({ ...said, totalScenarios: 4, dirty: true });
    await send(service, [ended('r1')]);
    expect((await send(service, [began('r1', other)])).rejected).toEqual([{ index: 0, message: late('r1') }]);
    expect(await run(service, 'r1')).toMatchObject(said);
    expect((await node(service)).evidence.state).toBe('notObserved');
  },
);

verifies(
  ['proof:grace', 'proof:late-after-grace'],
  'verdicts of late workers count for thirty seconds; after that nothing hides a failure or adds a pass',
  async () => {
    await using service = await prepared();
    await send(service, [began('r1'), ended('r1', 0, { passed: 0 })]);
    service.clock.advance(29_000);
    expect(await send(service, [verdict('r1', 'Failed')])).toMatchObject({ accepted: 1, rejected: [] });
    service.clock.advance(2_000);
    const answer = await send(service, [verdict('r1', 'CleanPass'), { type: 'lane_started', runId: 'r1', lane: 1 }]);
    expect(answer).toEqual({
      accepted: 0,
      ignored: 0,
      rejected: [
        { index: 0, message: late('r1') },
        { index: 1, message: late('r1') },
      ],
    });
    expect(await run(service, 'r1')).toMatchObject({ green: false, late: 2 });
    expect(await send(service, [verdict('r1', 'Failed')])).toMatchObject({ accepted: 1, rejected: [] });
    expect(await node(service)).toMatchObject({ status: 'failed' });
  },
);

verifies(
  'proof:counted-pass',
  'skipped or hidden verdicts, and figures that claim no pass, prove nothing',
  async () => {
    await using service = await prepared();
    const tries: object[][] = [
      [began('r1'), ended('r1', 0, { passed: 0, skipped: 400 })],
      [began('r2'), verdict('r2', 'Skipped'), ended('r2', 0, { passed: 1 })],
      [began('r3'), verdict('r3', 'CleanPass'), verdict('r3', 'Failed', 'Cart/b'), ended('r3', 0, { failed: 0 })],
      [began('r4'), ended('r4', 0, { passed: 3, indeterminate: 1 })],
      [began('r5'), verdict('r5', 'CleanPass'), ended('r5', 0, { failed: -1, indeterminate: 1 })],
      [began('r6'), verdict('r6', 'CleanPass'), { ...ended('r6'), exitCode: null }],
      [began('r7'), verdict('r7', 'CleanPass'), ended('r7', -1, { failed: 0, passed: 1 })],
      [began('r8', { totalScenarios: 3 }), verdict('r8', 'Failed'), ended('r8', 0, { failed: 0 })],
    ];
    for (const events of tries) {
      await send(service, events);
      const { runId } = events[0] as { runId: string };
      expect([runId, (await run(service, runId)).green]).toEqual([runId, false]);
      expect(await node(service)).toMatchObject({ status: 'failed', evidence: { runId } });
    }
  },
);

verifies(
  ['proof:open-proves-nothing', 'proof:begun-with-token', 'proof:trust'],
  'without the token, where one is set, a run proves nothing, fails nothing, and joins no run that was begun with it',
  async () => {
    await using service = await prepared({}, { settings: { Token: token, OpenIngest: 'true' } });
    await send(service, passing('open'), {});
    expect((await node(service)).evidence.state).toBe('notObserved');
    expect(await run(service, 'open')).toMatchObject({ trust: 'open', publisher: null, green: true });
    await send(service, [began('ours'), verdict('ours', 'CleanPass')]);
    const message = 'run ours was started with a token; send the same token, or publish under a new run id';
    expect((await send(service, [verdict('ours', 'Failed', 'x'), ended('ours', 1)], {})).rejected).toEqual([
      { index: 0, message },
      { index: 1, message },
    ]);
    await send(service, [ended('ours')]);
    expect(await node(service)).toMatchObject({ status: 'done', evidence: { runId: 'ours' } });
    expect(await run(service, 'ours')).toMatchObject({ trust: 'local', failed: 0, scenarios: 1 });
    await send(service, failing('open-2'), {});
    await send(service, [began('open-3')], {});
    expect(await node(service)).toMatchObject({ status: 'done', evidence: { runId: 'ours', state: 'passed' } });
    await send(service, [verdict('open-3', 'CleanPass'), ended('open-3')]);
    expect(await run(service, 'open-3')).toMatchObject({ trust: 'open' });
  },
);

verifies(
  ['proof:named-only', 'proof:publisher-binding'],
  'where named tokens are asked for, a run without a name proves nothing',
  async () => {
    await using named = await prepared({}, { settings: { SuiteProof: 'named' } });
    await send(named, passing('r1'));
    expect((await node(named)).evidence.state).toBe('notObserved');
    await using bound = await prepared({ tag: 'p/n', publisher: 'ci' });
    await send(bound, passing('r1', { publisher: 'ci' }));
    expect(await node(bound)).toMatchObject({
      evidence: { state: 'notObserved' },
      why: expect.stringContaining('published by ci'),
    });
    expect((await run(bound, 'r1')).publisher).toBeNull();
  },
);

verifies(
  'proof:stamps-are-ours',
  "the console's own stamps are not taken from anyone, however they are spelled",
  async () => {
    await using service = await prepared({}, { settings: { Token: token, OpenIngest: 'true' } });
    const stamp = { type: 'console_stamp', runId: 'r1', receivedAt: '9999-01-01T00:00:00.000Z', trust: 'named' };
    const body = `{"events":[${JSON.stringify(stamp)},{"type":"x","runId":"r1","type":"console_\\u0073tamp","publisher":"ci","receivedAt":"9999-01-01T00:00:00Z","trust":"named"}]}`;
    const answer = await service.console('POST', '/api/ingest', body, { 'content-type': 'application/json' });
    expect(answer.body).toEqual({ accepted: 0, ignored: 2, rejected: [] });
    await send(service, passing('r1', { publisher: 'ci', trust: 'named' }), {});
    expect(await run(service, 'r1')).toMatchObject({ trust: 'open', publisher: null });
    await service.stop();
    await using again = await start({ home: service.home, settings: { Token: token }, clock: service.clock });
    await expect.poll(async () => (await run(again, 'r1')).counted).toBe(true);
    expect(await run(again, 'r1')).toMatchObject({ trust: 'open', receivedAt: '2026-01-01T09:00:00.000Z' });
  },
);

verifies(
  ['proof:sentence', 'proof:eject-keeps', 'proof:policies-keep'],
  'the evidence says what ran where, and stands whoever ejects the run',
  async () => {
    await using service = await prepared({}, { settings: { RetentionRuns: '1' } });
    await send(service, passing('r1', { branch: 'main', commit: '3f2c1ab9d0', dirty: true }));
    expect((await node(service)).evidence.detail).toBe(
      'unit passed on main at 3f2c1ab with uncommitted changes, 1 scenario',
    );
    await send(service, [began('r2', { tag: 'other' }), verdict('r2', 'CleanPass'), ended('r2')]);
    await expect.poll(async () => (await service.call('GET', '/api/runs')).body.length).toBe(1);
    expect(await node(service)).toMatchObject({ status: 'done', evidence: { state: 'passed' } });
    await send(service, failing('r3'));
    expect(await node(service)).toMatchObject({ status: 'failed', evidence: { runId: 'r3' } });
    await service.call('DELETE', '/api/runs/r3?by=ada');
    expect(await node(service)).toMatchObject({ status: 'failed', evidence: { runId: 'r3' } });
    expect((await service.call('GET', '/api/runs/r3')).body).toMatchObject({ ejectedBy: 'ada' });
  },
);
