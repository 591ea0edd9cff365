import { expect, test } from 'vitest';
import { decodeText } from './decode-text.ts';
import { eventsOf, type ImportDefaults } from './imported-events.ts';
import { mergeRuns } from './imported-run.ts';
import { readResults } from './read-results.ts';

const about: ImportDefaults = {
  runId: 'r1',
  suite: 'file',
  repository: '/src/shop',
  branch: 'main',
  tag: 'plan/node',
  writtenAtMs: Date.UTC(2026, 0, 1),
};
const runIn = (text: string) => {
  const read = readResults(text);
  if (read.format === 'ndjson') throw new Error('it was read as events');
  return read.run;
};
// biome-ignore lint/suspicious/noExplicitAny: events of any type
const events = (text: string): any[] => eventsOf(runIn(text), about);

const junit = `<?xml version="1.0"?>
<testsuites name="pytest"><testsuite name="outer" timestamp="2026-01-01T10:00:00">
  <testsuite name="inner">
    <testcase classname="tests.cart" name="adds" time="0.25"/>
    <testcase classname="tests.cart" name="adds" time="1,234.5"><failure message="expected 1" type="AssertionError"><![CDATA[
tests/cart.py:12: expected 1 & got <2>]]></failure></testcase>
    <testcase name="skips"><skipped/></testcase>
    <testcase classname="tests.cart" name="flaky" file="tests/cart.py" line="7"><flakyFailure message="timeout" type="x"/></testcase>
    <testcase classname="tests.cart" name="breaks"><error>boom</error></testcase>
  </testsuite>
</testsuite></testsuites>`;

test('JUnit becomes a run with its suites, failures, skips and retries', () => {
  const told = events(junit);
  expect(told[0]).toMatchObject({
    type: 'run_started',
    runId: 'r1',
    suite: 'pytest',
    tag: 'plan/node',
    startedAt: '2026-01-01T10:00:00.000Z',
    totalScenarios: 5,
  });
  const finished = told.filter(({ type }) => type === 'scenario_finished');
  expect(finished.map(({ uid, outcome, durationMs }) => [uid, outcome, durationMs])).toEqual([
    ['tests.cart/adds', 'CleanPass', 250],
    ['tests.cart/adds #2', 'Failed', 1_234_500],
    ['inner/skips', 'Skipped', 0],
    ['tests.cart/flaky', 'Failed', undefined],
    ['tests.cart/flaky', 'CleanPass', 0],
    ['tests.cart/breaks', 'Failed', 0],
  ]);
  expect(finished[1]).toMatchObject({
    errorMessage: 'expected 1',
    stackTrace: 'tests/cart.py:12: expected 1 & got <2>',
  });
  expect(told.filter(({ type }) => type === 'retry_scheduled')).toMatchObject([{ nextAttempt: 2, reason: 'timeout' }]);
  expect(told.at(-1)).toMatchObject({ exitCode: 1, passed: 1, failed: 2, passedOnRetry: 1, skipped: 1 });
});

test('CTRF becomes a run with its steps and attempts', () => {
  const told = events(
    JSON.stringify({
      reportFormat: 'CTRF',
      results: {
        tool: { name: 'jest' },
        summary: { start: 1_767_261_600_000, stop: 1_767_261_610_000 },
        tests: [
          { name: 'Cart: adds', status: 'passed', duration: 12, suite: ['Cart'], retryAttempts: [{ message: 'no' }] },
          { name: 'fails', status: 'failed', duration: 3, message: 'bad', steps: [{ name: 'one', status: 'failed' }] },
          { name: 'later', status: 'pending', duration: 0 },
        ],
      },
    }),
  );
  expect(told[0]).toMatchObject({ suite: 'jest', startedAt: '2026-01-01T10:00:00.000Z' });
  expect(told.map(({ type }) => type)).toEqual([
    'run_started',
    'scenario_started',
    'scenario_finished',
    'retry_scheduled',
    'scenario_started',
    'scenario_finished',
    'scenario_started',
    'step_started',
    'step_finished',
    'scenario_finished',
    'scenario_started',
    'scenario_finished',
    'run_finished',
  ]);
  expect(told.at(-1)).toMatchObject({
    passed: 0,
    passedOnRetry: 1,
    failed: 1,
    skipped: 1,
    finishedAt: '2026-01-01T10:00:10.000Z',
  });
});

test('attempts that CTRF only counts or marks as flaky become attempts', () => {
  const tests = [
    { name: 'counted', status: 'passed', duration: 1, retries: 2, flaky: true },
    { name: 'only flaky', status: 'passed', duration: 1, flaky: true },
    { name: 'told', status: 'passed', duration: 1, retries: 1, flaky: true, retryAttempts: [{ message: 'no' }] },
    { name: 'clean', status: 'passed', duration: 1, retries: 0, flaky: false },
    { name: 'flaky before', status: 'failed', duration: 1, retries: 0, flaky: true },
    { name: 'endless', status: 'failed', duration: 1, retries: 1e9 },
  ];
  const run = runIn(JSON.stringify({ results: { tool: { name: 'jest' }, summary: {}, tests } }));
  expect(run.tests.map(({ name, earlier }) => [name, earlier.length])).toEqual([
    ['counted', 2],
    ['only flaky', 1],
    ['told', 1],
    ['clean', 0],
    ['flaky before', 0],
    ['endless', 100],
  ]);
});

test('monitor events are kept as written', () => {
  const line = '{"type":"run_heartbeat", "runId":"x","at":"2026-01-01T10:00:00.0Z","more":1.50}';
  expect(readResults(`${line}\n\n${line}\r\n`)).toEqual({ format: 'ndjson', events: [line, line] });
});

test.each([
  ['', 'empty'],
  ['<html><body/></html>', 'no testsuite'],
  ['<testsuites><testsuite>', 'not well-formed XML'],
  ['hello', 'line 1'],
  ['{"type":"a","runId":"b"}\n{"results":', 'line 2'],
  ['{"results":{"tests":[{"status":"passed"}]}}', 'not a valid CTRF'],
])('%s is refused with what is wrong', (text, said) => {
  expect(() => readResults(text)).toThrow(said);
});

test('a duration beyond any calendar ends in the last possible year', () => {
  const told = events(
    '<testsuite name="a" timestamp="2026-01-01T10:00:00"><testcase name="b" time="1e300"/></testsuite>',
  );
  expect(told.at(-1)).toMatchObject({ type: 'run_finished', finishedAt: '9999-12-31T00:00:00.000Z' });
});

const outcomesIn = (xml: string) => runIn(xml).tests.map(({ name, outcome }) => [name, outcome]);

test('tests that GoogleTest and CTest skipped did not pass', () => {
  const cases = ['notrun" result="suppressed', 'run" result="skipped', 'disabled', 'run" result="completed', 'run'];
  const xml = cases.map((status) => `<testcase name="t" classname="c" status="${status}"/>`).join('');
  expect(outcomesIn(`<testsuites><testsuite>${xml}</testsuite></testsuites>`).map(([, outcome]) => outcome)).toEqual([
    'Skipped',
    'Skipped',
    'Skipped',
    'CleanPass',
    'CleanPass',
  ]);
});

test('each of several failures of one test is kept', () => {
  const [failed] = runIn(
    '<testsuite><testcase name="a"><failure message="one">a.cc:1</failure><failure message="two">a.cc:2</failure></testcase></testsuite>',
  ).tests;
  expect(failed).toMatchObject({ outcome: 'Failed', message: 'one', stackTrace: 'a.cc:1\na.cc:2' });
});

test.each([
  ['0.25', 250],
  ['0,25', 250],
  ['1,5', 1500],
  ['0,250', 250],
  ['1,234', 1_234_000],
  ['1,234.5', 1_234_500],
  ['1,234,567.8', 1_234_567_800],
  ['.5', 500],
  ['', 0],
  ['soon', 0],
])('a time of %s is %i milliseconds', (time, ms) => {
  expect(runIn(`<testsuite><testcase name="a" time="${time}"/></testsuite>`).tests[0]?.durationMs).toBe(ms);
});

test('a run has the start time of its root if its suites have none', () => {
  const told = events(
    '<testsuites timestamp="2026-01-01T10:00:00.500+01:00"><testsuite><testcase name="a"/></testsuite></testsuites>',
  );
  expect(told[0].startedAt).toBe('2026-01-01T09:00:00.500Z');
});

test('several files become one run with the failures of each', () => {
  const file = (minute: number, inside: string) =>
    runIn(
      `<testsuite name="s${minute}" timestamp="2026-01-01T10:0${minute}:00"><testcase name="t">${inside}</testcase></testsuite>`,
    );
  const told = eventsOf(mergeRuns([file(2, '<failure/>'), file(1, '')]), about) as Record<string, unknown>[];
  expect(told[0]).toMatchObject({ suite: 's2', startedAt: '2026-01-01T10:01:00.000Z', totalScenarios: 2 });
  expect(told.at(-1)).toMatchObject({ type: 'run_finished', exitCode: 1, passed: 1, failed: 1 });
});

test('a file is read in its own encoding', () => {
  const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?><testsuite name="Äpfel"/>`;
  const suiteIn = (bytes: Uint8Array) => runIn(decodeText(bytes)).suite;
  expect(suiteIn(Buffer.from(xml('ISO-8859-1'), 'latin1'))).toBe('Äpfel');
  expect(suiteIn(Buffer.from(`\ufeff${xml('utf-16')}`, 'utf16le'))).toBe('Äpfel');
  for (const encoding of ['UTF-8', 'utf-16']) expect(suiteIn(Buffer.from(xml(encoding)))).toBe('Äpfel');
  expect(() => decodeText(Buffer.from(xml('klingon')))).toThrow('klingon');
});
