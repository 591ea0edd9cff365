import { afterAll, beforeAll, expect } from 'vitest';
import { smallRun } from '../recorded-run.ts';
import { type Started, start } from '../start.ts';
import { type Framework, frameworks, supervisedRun } from '../supervised-foreign.ts';
import { verifies } from '../verifies.ts';

let service: Started;
beforeAll(async () => {
  service = await start({ settings: { OrphanSeconds: '100000', RetentionRuns: '50' } });
});
afterAll(() => service.stop());

const send = async (events: readonly object[]) => (await service.console('POST', '/api/ingest', { events })).body;
const create = (plan: string, ...ids: string[]) =>
  service.call('POST', '/api/plans', { plan, nodes: ids.map((id) => ({ id, binding: { kind: 'suite' } })) });
const nodes = async (plan: string) => (await service.call('GET', `/api/plans/${plan}/status`)).body.nodes;
const node = async (plan: string, id: string) => (await nodes(plan)).find((one: { id: string }) => one.id === id);
const run = async (runId: string) => (await service.console('GET', `/api/runs/${runId}`)).body.run;
const names = Object.keys(frameworks) as Framework[];

verifies(
  ['proof:figures', 'proof:incomplete', 'proof:read-your-proof'],
  'supervised runs of xUnit, NUnit, TUnit and MSTest: a bracket is green, test events are green, one dropped is incomplete',
  async () => {
    await create('foreign', ...names.flatMap((name) => [`${name}-bracket`, `${name}-tests`, `${name}-dropped`]));
    for (const name of names) {
      const tag = (form: string) => `foreign/${name}-${form}`;
      await send(supervisedRun(name, `${name}-1`, { tag: tag('bracket'), testEvents: false }));
      await send(supervisedRun(name, `${name}-2`, { tag: tag('tests'), testEvents: true }));
      await send(supervisedRun(name, `${name}-3`, { tag: tag('dropped'), testEvents: true, dropped: 1 }));
      expect(await run(`${name}-1`)).toMatchObject({ green: true, counted: 'figures', passed: 4, lost: 0 });
      expect(await run(`${name}-2`)).toMatchObject({ green: true, counted: true, passed: 4, lost: 0 });
      expect(await run(`${name}-3`)).toMatchObject({ green: null, counted: true, lost: 1 });
      expect(await node('foreign', `${name}-bracket`)).toMatchObject({
        status: 'done',
        evidence: { state: 'passed', detail: expect.stringContaining('4 scenarios according to its publisher') },
      });
      expect(await node('foreign', `${name}-tests`)).toMatchObject({ status: 'done', evidence: { state: 'passed' } });
      expect(await node('foreign', `${name}-dropped`)).toMatchObject({
        status: 'ready',
        evidence: { state: 'incomplete', detail: expect.stringMatching(/^3 of 4 verdicts arrived/) },
      });
    }
    // A done node stays done, and a failed one failed, while verdicts of a later run are missing.
    for (const [id, status] of [['xunit-tests', 'done']] as const) {
      await send(supervisedRun('xunit', 'later', { tag: `foreign/${id}`, testEvents: true, dropped: 1 }));
      expect(await node('foreign', id)).toMatchObject({ status, evidence: { state: 'incomplete', runId: 'later' } });
    }
    await send(smallRun('red', { tag: 'foreign/mstest-tests', outcomes: ['Failed'] }));
    await send(supervisedRun('mstest', 'later-2', { tag: 'foreign/mstest-tests', testEvents: true, dropped: 1 }));
    expect(await node('foreign', 'mstest-tests')).toMatchObject({
      status: 'failed',
      evidence: { state: 'incomplete' },
    });
  },
);

verifies(
  ['proof:figures', 'proof:incomplete'],
  'a counted failure or an exit code fails a run however many verdicts are missing, and figures below the total are green',
  async () => {
    const bracket = (runId: string, end: object): object[] => [
      { type: 'run_started', runId, suite: 'figures', totalScenarios: 5 },
      { type: 'run_finished', runId, exitCode: 0, passed: 3, failed: 0, passedOnRetry: 0, indeterminate: 0, ...end },
    ];
    const green = async (runId: string, events: object[]) => {
      await send(events);
      return (await run(runId)).green;
    };
    expect(await green('below', bracket('below', {}))).toBe(true);
    expect(await green('none', bracket('none', { passed: 0 }))).toBe(false);
    expect(await green('one-failed', bracket('one-failed', { failed: 1 }))).toBe(false);
    expect(await green('exit', bracket('exit', { exitCode: 3 }))).toBe(false);
    const failed = { type: 'scenario_finished', runId: 'counted', uid: 'a/b', outcome: 'Failed' };
    expect(await green('counted', bracket('counted', {}).toSpliced(1, 0, failed))).toBe(false);
  },
);

verifies(
  'proof:outcome-words',
  'words of other runners are verdicts; unknown ones, and none, are rejected by name and counted as nothing',
  async () => {
    const words = [
      'passed',
      'Passed',
      'PASS',
      'ok',
      'failed',
      'Error',
      'timed-out',
      'skipped',
      'NotExecuted',
      'Ignored',
    ];
    const answer = await send([
      ...words.map((outcome, index) => ({ type: 'scenario_finished', runId: 'words', uid: `w/${index}`, outcome })),
      { type: 'test_finished', runId: 'words', uid: 't/1', state: 'Passed' },
      { type: 'scenario_finished', runId: 'words', uid: 'w/odd', outcome: 'Exploded' },
      { type: 'scenario_finished', runId: 'words', uid: 'w/none' },
      { type: 'test_finished', runId: 'words', uid: 't/2', state: 'InProgress' },
      { type: 'test_finished', runId: 'words', uid: 't/3', state: null },
    ]);
    expect(answer.accepted).toBe(11);
    expect(answer.rejected.map(({ index, message }: { index: number; message: string }) => [index, message])).toEqual([
      [11, expect.stringMatching(/^outcome "Exploded" is unknown; use one of CleanPass, .*passed/)],
      [12, expect.stringMatching(/^outcome is missing; use one of /)],
      [13, expect.stringMatching(/^state "InProgress" is unknown; use one of /)],
      [14, expect.stringMatching(/^state is missing; use one of /)],
    ]);
    expect(await run('words')).toMatchObject({ scenarios: 11, passed: 5, failed: 3, skipped: 3 });
  },
);

verifies(
  ['proof:read-your-proof', 'proof:nothing-unseen', 'proof:eject-keeps'],
  'many runs of one suite, sixteen at once, with room for 50: every node is done when its ingest is answered',
  async () => {
    const ids = Array.from({ length: 160 }, (_, index) => `n${index}`);
    await create('many', ...ids);
    const seen: string[] = [];
    const publish = async (id: string) => {
      await send(smallRun(`many-${id}`, { tag: `many/${id}` }));
      seen.push((await service.call('GET', `/api/plans/many/nodes/${id}`)).body.status);
    };
    for (let from = 0; from < ids.length; from += 16) await Promise.all(ids.slice(from, from + 16).map(publish));
    expect(seen.filter((status) => status !== 'done')).toEqual([]);
    await service.running.console.runs.runs.ejector.sweepBoard();
    const kept = (await service.console('GET', '/api/runs?suite=specs&limit=1000')).body;
    expect(kept.length).toBeLessThanOrEqual(50);
    expect((await nodes('many')).filter(({ status }: { status: string }) => status !== 'done')).toEqual([]);
  },
);

verifies(
  ['proof:eject-keeps', 'proof:withdraw'],
  'an eject by id, by filter, by count and by age changes no node; a withdrawal names what it reopens, in the history too',
  async () => {
    await create('kept', 'id', 'filter', 'older', 'shown');
    for (const id of ['id', 'filter', 'shown']) await send(smallRun(`kept-${id}`, { tag: `kept/${id}` }));
    await send(smallRun('older-1', { tag: 'kept/older' }));
    await send(smallRun('older-2', { tag: 'kept/older', startedAt: '2026-01-01T08:00:01.000Z' }));
    const statuses = async () => (await nodes('kept')).map(({ status }: { status: string }) => status);
    expect(await statuses()).toEqual(['done', 'done', 'done', 'done']);
    expect((await service.call('DELETE', '/api/runs/kept-id?by=ada')).status).toBe(204);
    const except = 'exceptRunId=older-1&exceptRunId=older-2&exceptRunId=kept-shown';
    expect((await service.console('DELETE', `/api/runs?${except}`)).body.runIds).toContain('kept-filter');
    service.clock.advance(60_000);
    await service.clock.tick();
    expect(await statuses()).toEqual(['done', 'done', 'done', 'done']);

    // If an older green run is left, nothing is reopened.
    const judged = await service.call('DELETE', '/api/runs/older-2?withdraw=true&by=ada');
    expect([judged.status, judged.body]).toEqual([200, { runId: 'older-2', reopened: [] }]);
    expect(await node('kept', 'older')).toMatchObject({ status: 'done', evidence: { runId: 'older-1' } });
    // The consequences can be requested before.
    const asked = await service.call('DELETE', '/api/runs/kept-shown?withdraw=true&dryRun=true');
    expect(asked.body).toEqual({ runId: 'kept-shown', reopened: ['kept/shown'] });
    expect((await node('kept', 'shown')).status).toBe('done');
    expect((await service.call('DELETE', '/api/runs/kept-shown?dryRun=true')).status).toBe(400);
    // On either port, also for a run that was ejected before.
    const shown = await service.console('DELETE', '/api/runs/kept-shown?withdraw=true&by=ada');
    expect([shown.status, shown.body]).toEqual([200, { runId: 'kept-shown', reopened: ['kept/shown'] }]);
    expect((await service.console('GET', '/api/runs/kept-shown')).status).toBe(404);
    const ejected = await service.call('DELETE', '/api/runs/KEPT-ID?withdraw=true&by=bob');
    expect(ejected.body).toEqual({ runId: 'kept-id', reopened: ['kept/id'] });
    expect(await node('kept', 'id')).toMatchObject({
      status: 'ready',
      evidence: { state: 'open', detail: 'bob withdrew the proof by the run kept-id' },
    });
    expect((await service.call('DELETE', '/api/runs/kept-id?withdraw=true')).status).toBe(404);
    expect((await service.call('DELETE', '/api/runs?withdraw=true')).status).toBe(400);
    const history = (await service.call('GET', '/api/plans/kept/history')).body;
    expect(history.filter(({ type }: { type: string }) => type === 'evidence_withdrawn')).toMatchObject([
      { by: 'ada', says: 'ada withdrew the proof of older by the run older-2.' },
      { by: 'ada', says: 'ada withdrew the proof of shown by the run kept-shown.' },
      { by: 'bob', says: 'bob withdrew the proof of id by the run kept-id.' },
    ]);
    // The same run sent again proves nothing any more; a new run does.
    await send(smallRun('kept-id', { tag: 'kept/id' }));
    expect((await node('kept', 'id')).status).toBe('ready');
    await send(smallRun('kept-new', { tag: 'kept/id' }));
    expect((await node('kept', 'id')).status).toBe('done');

    service.clock.advance(15 * 24 * 60 * 60_000);
    await service.running.console.runs.runs.ejector.sweepAge();
    expect((await service.console('GET', '/api/runs?state=finished')).body).toEqual([]);
    expect(await statuses()).toEqual(['done', 'done', 'done', 'ready']);
  },
);

verifies(
  'proof:bound-looks-at-once',
  'a node that is bound, added or created with a suite that has passed is done at the next call',
  async () => {
    await send(smallRun('before', { tag: 'nightly' }));
    const binding = { kind: 'suite', tag: 'nightly' };
    await service.call('POST', '/api/plans', { plan: 'bound', nodes: [{ id: 'created', binding }, { id: 'free' }] });
    expect(await node('bound', 'created')).toMatchObject({ status: 'done', evidence: { runId: 'before' } });
    await service.call('POST', '/api/plans/bound/nodes/free/bind', binding);
    expect((await node('bound', 'free')).status).toBe('done');
    await service.call('POST', '/api/plans/bound/nodes', { id: 'added', binding });
    expect((await node('bound', 'added')).status).toBe('done');
  },
);
