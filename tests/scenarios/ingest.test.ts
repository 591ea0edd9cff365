import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inBatches, recorded, recordedRunId, smallRun, withoutStamps } from '../recorded-run.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const archived = async (service: Started, runId: string) =>
  withoutStamps(await readFile(archiveOf(service, runId), 'utf8'));
const archiveOf = (service: Started, runId: string) => join(service.dataPath, 'runs', `${runId}.ndjson`);
const send = (service: Started, events: readonly object[]) => service.console('POST', '/api/ingest', { events });
const detail = async (service: Started, runId: string) => (await service.console('GET', `/api/runs/${runId}`)).body;

verifies(['ping:answers', 'listen:console-carries'], 'a ping is answered with the tool and its version', async () => {
  await using service = await start();
  expect(await service.console('GET', '/api/ping')).toMatchObject({
    status: 200,
    body: { tool: 'signalbox', version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
  });
});

verifies(
  ['ingest:answer', 'ingest:adds-up', 'ingest:folded-before-202', 'archive:one-per-run', 'ingest:archived-as-it-came'],
  'what was answered can be read, and stands in the archive byte for byte',
  async () => {
    await using service = await start();
    const lines = [
      '{"type":"run_started","runId":"r1","suite":"Ä — specs","totalScenarios":1.0}',
      '{"runId":"r1","type":"scenario_started","uid":"Cart\\/a","attempt":1}',
    ];
    const answer = await service.console('POST', '/api/ingest', `{"events":[${lines.join(',')}]}`);
    expect(answer).toMatchObject({ status: 202, body: { accepted: 2, ignored: 0, rejected: [] } });
    expect(await archived(service, 'r1')).toBe(`${lines.join('\n')}\n`);
    expect(await detail(service, 'r1')).toMatchObject({
      run: { suite: 'Ä — specs', totalScenarios: 1, running: 1 },
      scenarios: [{ uid: 'Cart/a', outcome: null }],
    });
    const { text } = await service.console('GET', '/api/runs/r1/export?format=ndjson');
    expect(text).toBe(await readFile(archiveOf(service, 'r1'), 'utf8'));
  },
);

verifies(
  ['ingest:bare-array', 'ingest:empty-object', 'ingest:json-but-no-batch', 'ingest:not-json-400', 'ingest:line-breaks'],
  'a batch is taken in any form that JSON has for it',
  async () => {
    await using service = await start();
    const post = (text: string) => service.console('POST', '/api/ingest', text);
    expect(await post('[{"type":"run_heartbeat","runId":"r1"}]')).toMatchObject({ status: 202, body: { accepted: 1 } });
    expect(await post('{}')).toMatchObject({ status: 202, body: { accepted: 0, ignored: 0, rejected: [] } });
    for (const text of ['7', '"events"', '{"event":[]}', 'null']) {
      expect(await post(text)).toMatchObject({ status: 202, body: { accepted: 0, rejected: [{ index: 0 }] } });
    }
    for (const text of ['', '{"events":[', 'hello', '{"events":[{"type":"run_heartbeat","runId":"r2"},]}']) {
      expect(await post(text)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    expect((await service.console('GET', '/api/runs/r2')).status).toBe(404);
    await post('{"events": [\r\n  {\n    "type": "run_heartbeat",\r\n    "runId": "r3"\n  }\n]}\n');
    expect(await archived(service, 'r3')).toBe('{     "type": "run_heartbeat",     "runId": "r3"   }\n');
  },
);

verifies(
  [
    'ingest:bad-event-rejected-alone',
    'ingest:rejected-still-202',
    'ingest:numbers-in-strings',
    'ingest:missing-members-null',
  ],
  'a bad event is refused alone, and its siblings are kept',
  async () => {
    await using service = await start();
    const answer = await send(service, [
      { type: 'run_started', runId: 'R1', totalScenarios: '3' },
      { type: 'run_started' },
      { runId: 'r1' },
      { type: 'run_heartbeat', runId: '../../etc/passwd' },
      { type: 'scenario_started', runId: 'r1', uid: 5 },
      { type: 'scenario_finished', runId: 'r1', uid: 'a', outcome: 'failed', durationMs: '12' },
    ]);
    expect(answer).toMatchObject({ status: 202, body: { accepted: 2, ignored: 0 } });
    expect(answer.body.rejected.map(({ index }: { index: number }) => index)).toEqual([1, 2, 3, 4]);
    expect(answer.body.rejected[3].message).toBe('uid must be a string of at most 65536 characters');
    expect(await detail(service, 'r1')).toMatchObject({
      run: { runId: 'r1', totalScenarios: 3, branch: null, tag: null, startedAt: null },
      scenarios: [{ uid: 'a', durationMs: 12, outcome: 'Failed' }],
    });
    expect(await readdir(join(service.dataPath, 'runs'))).toEqual(['ejected', 'r1.ndjson']);
  },
);

verifies(
  [
    'ingest:unknown-type-ignored',
    'ingest:unknown-type-creates-run',
    'ingest:unknown-members-survive',
    'orphan:after-silence',
    'orphan:brought-back',
  ],
  'an event of a newer publisher is archived, creates its run and is a sign of life',
  async () => {
    await using service = await start();
    const newer = '{"type":"coverage_measured","runId":"r1","lines":[1,2,{"x":1.50}]}';
    expect(await service.console('POST', '/api/ingest', `[${newer}]`)).toMatchObject({
      body: { accepted: 0, ignored: 1 },
    });
    expect(await archived(service, 'r1')).toBe(`${newer}\n`);
    const state = async () => (await service.console('GET', '/api/runs')).body[0].state;
    expect(await state()).toBe('running');
    service.clock.sleep(3_600_000);
    await service.running.console.runs.runs.ejector.sweepSilent();
    expect(await state()).toBe('running');
    service.clock.advance(60_001);
    await service.running.console.runs.runs.ejector.sweepSilent();
    expect(await state()).toBe('orphaned');
    await service.console('POST', '/api/ingest', `[${newer}]`);
    expect(await state()).toBe('running');
  },
);

verifies(
  ['fold:idempotent', 'fold:split-equals-whole', 'run:facts-fold'],
  'a recorded run reads the same in batches of 1, 7 and 200, each sent once or twice',
  async () => {
    const details: unknown[] = [];
    for (const size of [1, 7, 200]) {
      for (const times of [1, 2]) {
        await using service = await start();
        for (const batch of inBatches(recorded, size)) {
          for (let time = 0; time < times; time += 1) await send(service, batch);
        }
        details.push(await detail(service, recordedRunId));
      }
    }
    expect(details[0]).toMatchObject({
      run: { passed: 3, failed: 4, passedOnRetry: 3, skipped: 2, indeterminate: 1, lost: 1 },
    });
    for (const one of details) expect(one).toEqual(details[0]);
  },
);

verifies(['ingest:only-way-in'], 'events after the end are taken and do not reopen the run', async () => {
  await using service = await start();
  await send(service, smallRun('r1', { outcomes: ['CleanPass'] }));
  await send(service, [{ type: 'scenario_finished', runId: 'r1', uid: 'Late/one', outcome: 'Failed', attempts: 1 }]);
  expect(await detail(service, 'r1')).toMatchObject({
    run: { state: 'finished', scenarios: 2, passed: 1, failed: 0 },
    scenarios: [{ outcome: 'CleanPass' }, { outcome: 'Failed' }],
  });
  for (const [method, path] of [
    ['PUT', '/api/runs/r1'],
    ['POST', '/api/runs'],
    ['PUT', '/api/ingest'],
  ] as const) {
    expect((await service.console(method, path, {})).status).toBe(405);
  }
});

verifies('ingest:unwritable-503', 'a batch that cannot be written is a 503 and is not folded', async () => {
  await using service = await start();
  await send(service, smallRun('r1', { finished: false }));
  const before = await detail(service, 'r1');
  // A folder in place of the archive: no user can append to it.
  await rm(archiveOf(service, 'r2'), { force: true });
  await mkdir(archiveOf(service, 'r2'));
  const answer = await send(service, [...smallRun('r2'), { type: 'run_heartbeat', runId: 'r1' }]);
  expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
  expect((await service.console('GET', '/api/runs/r2')).status).toBe(404);
  expect(await detail(service, 'r1')).toMatchObject({ scenarios: before.scenarios });
  await rm(archiveOf(service, 'r2'), { recursive: true });
  expect((await send(service, smallRun('r2'))).status).toBe(202);
});

verifies('archive:one-per-run', 'nothing follows a link out of the folder of the archives', async () => {
  await using service = await start();
  const outside = join(service.home, 'outside.txt');
  await writeFile(outside, 'untouched');
  await chmod(outside, 0o600);
  await symlink(outside, archiveOf(service, 'r1'));
  expect((await send(service, smallRun('r1'))).status).toBe(503);
  expect(await readFile(outside, 'utf8')).toBe('untouched');
});

verifies(
  ['boot:replays-archives', 'boot:torn-line-skipped', 'orphan:at-boot'],
  'runs survive a restart; a torn line is skipped and counted, and what had not finished is orphaned',
  async () => {
    await using first = await start();
    await send(first, smallRun('done', { outcomes: ['CleanPass', 'Failed'] }));
    await send(first, smallRun('cut', { outcomes: ['CleanPass'], finished: false }));
    const before = await detail(first, 'done');
    await first.stop();
    const path = archiveOf(first, 'cut');
    await writeFile(path, `${await readFile(path, 'utf8')}{"type":"scenario_finished","runId":"cut","ui`);
    await using second = await start({ home: first.home });
    expect(await detail(second, 'done')).toEqual(before);
    expect(await detail(second, 'cut')).toMatchObject({ run: { state: 'orphaned', running: 0, lost: 0, passed: 1 } });
    expect(second.logged()).toContain('"skipped":1');
    await send(second, [{ type: 'scenario_finished', runId: 'cut', uid: 'Cart/9', outcome: 'CleanPass', attempts: 1 }]);
    expect(await detail(second, 'cut')).toMatchObject({ run: { state: 'running', scenarios: 2 } });
    expect(
      withoutStamps(await readFile(path, 'utf8'))
        .split('\n')
        .filter((line) => line.endsWith('}')),
    ).toHaveLength(4);
  },
);
