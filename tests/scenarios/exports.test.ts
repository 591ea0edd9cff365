import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validate } from 'ctrf';
import { expect } from 'vitest';
import { all, junitFaults, parseXml } from '../junit-xml.ts';
import { recorded, recordedRunId, recordedText, smallRun, withoutStamps } from '../recorded-run.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const send = (service: Started, events: readonly object[]) => service.console('POST', '/api/ingest', { events });
const exported = (service: Started, runId: string, format = '') =>
  service.console('GET', `/api/runs/${runId}/export${format === '' ? '' : `?format=${format}`}`);

type Test = {
  name: string;
  status: string;
  retries: number;
  retryAttempts?: object[];
  flaky: boolean;
  extra: { uid: string; attempts?: number };
  message?: string;
};
type Report = { results: { summary: Record<string, number>; tests: Test[]; extra: object } };

/** The official validator accepts any sums, so they are checked here. */
function checkCtrf(report: Report): Report {
  expect(validate(report)).toMatchObject({ valid: true });
  const { summary, tests } = report.results;
  const count = (status: string) => tests.filter((test) => test.status === status).length;
  const statuses = ['passed', 'failed', 'skipped', 'pending', 'other'];
  expect(Object.fromEntries(statuses.map((status) => [status, summary[status]]))).toEqual(
    Object.fromEntries(statuses.map((status) => [status, count(status)])),
  );
  expect(summary.tests).toBe(tests.length);
  expect(summary.flaky).toBe(tests.filter(({ flaky }) => flaky).length);
  for (const test of tests) expect(test.retryAttempts?.length ?? 0).toBe(test.retries);
  return report;
}

function checkJunit(text: string) {
  const root = parseXml(text);
  expect(junitFaults(root)).toEqual([]);
  const suites = root.children;
  const sum = (name: string) => suites.reduce((total, suite) => total + Number(suite.attributes[name]), 0);
  for (const name of ['tests', 'failures', 'errors']) expect(Number(root.attributes[name])).toBe(sum(name));
  for (const suite of suites) {
    const has = (name: string) =>
      suite.children.filter((one) => one.children.some((child) => child.name === name)).length;
    expect(suite.attributes).toMatchObject({
      tests: String(suite.children.length),
      failures: String(has('failure')),
      errors: String(has('error')),
      skipped: String(has('skipped')),
    });
  }
  const names = all(root, 'testcase').map(({ attributes }) => `${attributes.classname} ${attributes.name}`);
  expect(new Set(names).size).toBe(names.length);
  return root;
}

async function textOf(document: unknown): Promise<string> {
  let text = '';
  for await (const piece of (document as { body: AsyncIterable<string> }).body) text += piece;
  return text;
}

verifies(
  [
    'export:ctrf-default',
    'export:ctrf-valid',
    'export:ctrf-retry-attempts',
    'export:attachment',
    'export:no-verdict-ended',
    'scenario:skipped',
  ],
  'a run exports as valid CTRF whose sums are those of its tests',
  async () => {
    await using service = await start();
    await send(service, recorded);
    const answer = await exported(service, recordedRunId);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="Checkout-Specs-6f1c2f0e.ctrf.json"');
    const { results } = checkCtrf(answer.body);
    expect(results.summary).toMatchObject({
      tests: 13,
      passed: 6,
      failed: 3,
      skipped: 2,
      pending: 0,
      other: 2,
      flaky: 3,
    });
    const test = (uid: string) => results.tests.find(({ extra }) => extra.uid === uid);
    expect(test('Payment/Paying by card')).toMatchObject({
      name: 'Payment: Paying by card',
      status: 'passed',
      flaky: true,
      retries: 1,
      retryAttempts: [{ attempt: 1, status: 'failed', message: expect.stringContaining('gateway timeout') }],
    });
    expect(test('Payment/Paying twice')).toMatchObject({ status: 'other', rawStatus: 'lost' });
    expect(test('Shipping/Tracking')).toMatchObject({ status: 'other', threadId: 'lane-2' });
    expect(results.extra).toMatchObject({ lost: 1, indeterminate: 1, workerFaults: [{ lane: 1 }], finished: true });
  },
);

verifies(
  ['export:junit', 'export:junit-retries', 'export:junit-worker-faults'],
  'a run exports as JUnit that the strictest readers take',
  async () => {
    await using service = await start();
    await send(service, recorded);
    const answer = await exported(service, recordedRunId, 'JUnit');
    expect(answer.headers.get('content-type')).toMatch(/^application\/xml/);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="Checkout-Specs-6f1c2f0e.junit.xml"');
    const root = checkJunit(answer.text);
    expect(root.attributes).toMatchObject({ name: 'Checkout.Specs', tests: '14', failures: '3', errors: '3' });
    const named = (name: string) => all(root, 'testcase').find(({ attributes }) => attributes.name === name);
    expect(named('Paying by card')?.children).toMatchObject([
      { name: 'flakyFailure', attributes: { type: 'System.TimeoutException' } },
    ]);
    expect(named('Refunding')?.children.map(({ name }) => name)).toEqual(['failure', 'rerunFailure', 'system-out']);
    expect(named('worker fault lane 1')?.children).toMatchObject([
      { name: 'error', attributes: { type: 'exit code 134' } },
    ]);
    expect(answer.text).not.toContain('\u001b');
  },
);

verifies(['export:junit-retries'], 'JUnit shows retries that a publisher only counts', async () => {
  await using service = await start();
  const finished = (uid: string, rest: object) => ({ type: 'scenario_finished', runId: 'r1', uid, ...rest });
  await send(service, [
    finished('A/counted', { outcome: 'PassOnRetry', attempts: 3 }),
    { type: 'retry_scheduled', runId: 'r1', uid: 'A/failed', nextAttempt: 3, reason: 'timeout' },
    finished('A/failed', { outcome: 'Failed', attempts: 3, errorMessage: 'no' }),
    finished('A/only named', { outcome: 'PassOnRetry' }),
    finished('A/passed', { outcome: 'CleanPass', attempts: 1 }),
  ]);
  const cases = all(checkJunit((await exported(service, 'r1', 'junit')).text), 'testcase');
  const inside = cases.map(({ attributes, children }) => [attributes.name, children.map(({ name }) => name)]);
  expect(Object.fromEntries(inside)).toEqual({
    counted: ['flakyFailure', 'flakyFailure'],
    failed: ['failure', 'rerunFailure', 'rerunFailure'],
    'only named': ['flakyFailure'],
    passed: [],
  });
});

verifies(['export:no-verdict-live'], 'what still runs exports as pending and skipped', async () => {
  await using service = await start();
  await send(service, [
    ...smallRun('r1', { outcomes: [], finished: false }),
    { type: 'scenario_started', runId: 'r1', uid: 'A/b' },
  ]);
  const { results } = checkCtrf((await exported(service, 'r1')).body);
  expect(results.tests).toMatchObject([{ status: 'pending' }]);
  const [testcase] = all(checkJunit((await exported(service, 'r1', 'junit')).text), 'testcase');
  expect(testcase?.children).toMatchObject([{ name: 'skipped' }]);
});

verifies(
  ['export:ctrf-valid', 'export:junit', 'run:detail'],
  'a live run is sent as it was when it was asked for, whatever comes while it is sent',
  async () => {
    await using service = await start();
    const { runs } = service.running.console;
    const uids = Array.from({ length: 600 }, (_, index) => `F${index % 3}/${index}`);
    await send(
      service,
      uids.map((uid) => ({ type: 'scenario_started', runId: 'r1', uid })),
    );
    const asked = [await runs.export('r1', 'ctrf'), await runs.export('r1', 'junit'), await runs.detail('r1')];
    await send(service, [
      ...uids.map((uid) => ({ type: 'scenario_finished', runId: 'r1', uid, outcome: 'Failed' })),
      { type: 'scenario_started', runId: 'r1', uid: 'F9/new' },
    ]);
    const [ctrf = '', junit = '', detail = ''] = await Promise.all(asked.map(textOf));
    expect(checkCtrf(JSON.parse(ctrf)).results.summary).toMatchObject({ tests: 600, pending: 600, failed: 0 });
    expect(checkJunit(junit).attributes).toMatchObject({ tests: '600', failures: '0' });
    const { run, scenarios } = JSON.parse(detail);
    const open = scenarios.filter(({ outcome }: { outcome: string | null }) => outcome === null);
    expect([run.running, run.scenariosFinished, open.length]).toEqual([600, 0, 600]);
    expect((await service.console('GET', '/api/runs/r1')).body.run).toMatchObject({ failed: 600, running: 1 });
  },
);

verifies(
  ['export:ctrf-valid', 'export:ctrf-retry-attempts'],
  'numbers that are only claimed make neither an endless file nor an illegal one',
  async () => {
    await using service = await start();
    const claims = { 'A/three': 3, 'A/a hundred million': 1e8, 'A/no length at all': 2 ** 53 };
    const events = Object.entries(claims).map(([uid, attempts]) => ({
      type: 'scenario_finished',
      runId: 'r1',
      uid,
      outcome: 'CleanPass',
      attempts,
      durationMs: 1e308,
      at: '9999-12-31T23:59:59.999Z',
    }));
    const ends = { exitCode: -(2 ** 53), passed: 1e308, failed: -1, finishedAt: '0000-01-01T00:00:00.000Z' };
    events.push({ type: 'run_finished', runId: 'r1', ...ends } as never);
    expect((await send(service, events)).body).toMatchObject({ accepted: 4 });
    const { results } = checkCtrf((await exported(service, 'r1')).body);
    const told = results.tests.map(({ retries, extra }) => [extra.uid, retries, extra.attempts]);
    expect(Object.fromEntries(told.map(([uid, ...rest]) => [uid, rest]))).toEqual({
      'A/three': [2, undefined],
      'A/a hundred million': [0, 1e8],
      'A/no length at all': [0, 2 ** 53],
    });
    checkJunit((await exported(service, 'r1', 'junit')).text);
  },
);

verifies(
  ['export:ndjson-raw', 'export:unknown-format-400', 'run:unknown-404'],
  'the archive itself can be had, and nothing else',
  async () => {
    await using service = await start();
    await service.console('POST', '/api/ingest', `{"events":[${recordedText.trim().replaceAll('\n', ',')}]}`);
    const answer = await exported(service, recordedRunId, 'ndjson');
    expect(answer.headers.get('content-disposition')).toContain('Checkout-Specs-6f1c2f0e.ndjson');
    expect(withoutStamps(answer.text)).toBe(recordedText);
    expect(answer.text).toBe(await readFile(join(service.dataPath, 'runs', `${recordedRunId}.ndjson`), 'utf8'));
    expect(await exported(service, 'nowhere', 'pdf')).toMatchObject({ status: 400, body: { code: 'unknown_format' } });
    for (const format of ['', 'junit', 'ndjson']) {
      expect(await exported(service, 'nowhere', format)).toMatchObject({
        status: 404,
        body: { code: 'run_not_found' },
      });
    }
  },
);

verifies(
  ['export:junit', 'export:ctrf-valid'],
  'names of any characters, and a megabyte of text, stay legal',
  async () => {
    await using service = await start();
    const nasty = [
      Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join(''),
      'lone \ud800 surrogate \udfff \uffff \ufffe',
      ']]><script>&amp;"\'</testcase>',
      '\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007 \u009b1m',
      '日本語 😀 e\u0301 \u202e',
      '',
      '__proto__',
    ];
    const events = nasty.flatMap((name, index) => [
      {
        type: 'scenario_started',
        runId: 'r1',
        uid: `${name}#${index}/${name}`,
        feature: name,
        scenario: name,
        attempt: 1,
      },
      {
        type: 'scenario_finished',
        runId: 'r1',
        uid: `${name}#${index}/${name}`,
        outcome: index % 2 === 0 ? 'Failed' : 'Aborted',
        attempts: 1,
        durationMs: 1.5,
        errorMessage: `${name}\n${index === 0 ? `${name}x<&>`.repeat(30_000) : name}`,
      },
      { type: 'retry_scheduled', runId: 'r1', uid: `${name}#${index}/${name}`, nextAttempt: 2, reason: name },
    ]);
    const start_ = { type: 'run_started', runId: 'r1', suite: nasty.join(''), branch: nasty[0], startedAt: null };
    expect((await send(service, [start_, ...events])).body).toMatchObject({ rejected: [] });
    await send(service, [{ type: 'run_finished', runId: 'r1', exitCode: 1 }]);
    checkCtrf((await exported(service, 'r1')).body);
    const root = checkJunit((await exported(service, 'r1', 'junit')).text);
    expect(all(root, 'testcase')).toHaveLength(nasty.length);
  },
);

verifies(['run:detail'], 'a long run is sent piece by piece, in the same shape', async () => {
  await using service = await start();
  await send(
    service,
    smallRun('r1', {
      outcomes: Array.from({ length: 1200 }, (_, index) => (index % 3 === 0 ? 'Failed' : 'CleanPass')),
    }),
  );
  const { headers, body } = await service.console('GET', '/api/runs/r1');
  expect(headers.get('content-length')).toBeNull();
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(body.scenarios).toHaveLength(1200);
  expect(body).toMatchObject({ run: { runId: 'r1', failed: 400 }, lanes: [], recycles: [], progress: null });
  checkCtrf((await exported(service, 'r1')).body);
  checkJunit((await exported(service, 'r1', 'junit')).text);
});
