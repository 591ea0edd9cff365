import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPublisher } from '../../packages/publisher/src/publisher.ts';
import { runSpanId, runTraceId, testSpanId } from '../../packages/publisher/src/trace.ts';
import { type Started, start } from '../start.ts';
import { openCollector } from '../telemetry/collector.ts';
import { cucumber } from './frameworks/cucumber.ts';
import { jest } from './frameworks/jest.ts';
import { mocha } from './frameworks/mocha.ts';
import { nodeTest } from './frameworks/node-test.ts';
import { playwright } from './frameworks/playwright.ts';
import { vitest } from './frameworks/vitest.ts';
import { createProject } from './project.ts';
import { signalbox } from './signalbox.ts';

const parent = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;
const told = (name: string) =>
  `require('node:fs').appendFileSync('told.txt', '${name} ' + process.env.TRACEPARENT + '\\n');`;
const required = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);\n`;
const two = (call: string) =>
  `${call}('first', () => { ${told('first')} });\n${call}('second', () => { ${told('second')} });\n`;

const frameworks = [
  { framework: mocha, eachTest: true, files: { 'test/a.test.js': required + two('it') } },
  {
    framework: vitest,
    eachTest: false,
    files: { 'tests/a.test.js': `import { test } from 'vitest';\n${required}${two('test')}` },
  },
  {
    framework: jest,
    eachTest: false,
    files: { 'package.json': '{"name":"shop","jest":{"transform":{},"maxWorkers":2}}', 'tests/a.test.js': two('test') },
  },
  {
    framework: nodeTest,
    eachTest: false,
    files: { 'test/a.test.js': `import test from 'node:test';\n${required}${two('test')}` },
  },
  {
    framework: playwright,
    eachTest: false,
    files: { 'tests/a.spec.js': `import { test } from '@playwright/test';\n${required}${two('test')}` },
  },
  {
    framework: cucumber,
    eachTest: true,
    files: {
      'features/a.feature': 'Feature: a\n  Scenario: first\n    Given first\n  Scenario: second\n    Given second\n',
      'features/steps.js': `import { Given } from '@cucumber/cucumber';\n${required}${two('Given')}`,
    },
  },
] as const;

test.each(frameworks)(
  'tests of $framework.name are given the trace that the service sends for their run',
  async ({ framework, eachTest, files }) => {
    await using collector = await openCollector();
    await using service = await start({
      settings: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` },
    });
    await using project = await createProject(files, framework.packages);
    const { code, stdout, stderr } = await project.run(framework.args(), {
      SIGNALBOX_URL: service.consoleUrl,
      TRACEPARENT: traceparent,
    });
    expect(code, stdout + stderr).toBe(0);
    await expect.poll(() => collector.spans().length).toBeGreaterThanOrEqual(3);
    const spans = collector.spans();
    const root = spans.find(({ parentSpanId }) => parentSpanId === parent.spanId);
    const runId = await onlyRun(service);
    expect(root).toMatchObject({ traceId: parent.traceId, spanId: runSpanId(runId) });
    const given = Object.fromEntries(
      (await project.read('told.txt'))
        .trim()
        .split('\n')
        .map((line) => line.split(' ')),
    );
    for (const name of ['first', 'second']) {
      const own = spans.find((span) => span.name.includes(name) && span.parentSpanId === root?.spanId);
      expect(own).toMatchObject({ traceId: parent.traceId });
      expect(given[name]).toBe(`00-${parent.traceId}-${eachTest ? own?.spanId : root?.spanId}-01`);
    }
    expect(collector.faults).toEqual([]);
  },
);

const onlyRun = async (service: Started): Promise<string> => (await service.console('GET', '/api/runs')).body[0].runId;

test('signalbox run gives its command the trace of the run, with and without one of its own', async () => {
  await using collector = await openCollector();
  await using service = await start({ settings: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces` } });
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-run-'));
  const run = (env: Record<string, string>) =>
    signalbox(folder, ['run', '--', process.execPath, '-p', 'process.env.TRACEPARENT'], {
      SIGNALBOX_URL: service.consoleUrl,
      ...env,
    });
  const alone = await run({});
  const first = await onlyRun(service);
  expect(alone.stdout.trim()).toBe(`00-${runTraceId(first)}-${runSpanId(first)}-01`);
  await service.console('DELETE', `/api/runs/${first}`);
  const within = await run({ TRACEPARENT: traceparent });
  const second = await onlyRun(service);
  expect(within.stdout.trim()).toBe(`00-${parent.traceId}-${runSpanId(second)}-01`);
  await expect
    .poll(() => collector.spans().filter(({ spanId }) => spanId === runSpanId(second)))
    .toMatchObject([{ traceId: parent.traceId, parentSpanId: parent.spanId }]);
  await rm(folder, { recursive: true, force: true });
});

test('runs of one process side by side leave each other their traces, and the variable is put back', async () => {
  await using service = await start();
  const before = process.env.TRACEPARENT;
  process.env.TRACEPARENT = traceparent;
  const options = { suite: 'side by side', url: service.consoleUrl };
  const [one, two] = [createPublisher(options), createPublisher(options)];
  const uid = 'a';
  const test1 = { uid, feature: 'f', scenario: 's', file: null, line: null };
  expect(process.env.TRACEPARENT).toBe(`00-${parent.traceId}-${runSpanId(one.runId)}-01`);
  one.begin();
  one.start(test1);
  expect(process.env.TRACEPARENT).toBe(`00-${parent.traceId}-${testSpanId(one.runId, uid, 1)}-01`);
  two.begin();
  two.start(test1);
  expect(process.env.TRACEPARENT).toBe(`00-${parent.traceId}-${testSpanId(one.runId, uid, 1)}-01`);
  one.end(test1, { state: 'passed' });
  expect(process.env.TRACEPARENT).toBe(`00-${parent.traceId}-${runSpanId(one.runId)}-01`);
  two.end(test1, { state: 'passed' });
  await two.close();
  await one.close();
  expect(process.env.TRACEPARENT).toBe(traceparent);
  if (before === undefined) delete process.env.TRACEPARENT;
  else process.env.TRACEPARENT = before;
});
