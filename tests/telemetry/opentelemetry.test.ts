import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, test } from 'vitest';
import { runSpanId, runTraceId, testSpanId } from '../../packages/publisher/src/trace.ts';
import { wholeRun } from '../hosts/whole-run.ts';
import { type Started, start } from '../start.ts';
import { attribute, openCollector, type ReceivedSpan } from './collector.ts';

const runId = 'traced-run';
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 9, 0, second)).toISOString();
const nanos = (second: number) => `${Date.parse(at(second))}000000`;
const parent = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = `00-${parent.traceId}-${parent.spanId}-01`;

/** A test that failed and then passed on retry, with steps, and a skipped one. */
const events = [
  { type: 'run_started', suite: 'unit', repository: '/src', mode: 'in-process', startedAt: at(0), branch: 'main' },
  { type: 'scenario_started', uid: 'a', feature: 'Cart', scenario: 'adds', attempt: 1, at: at(1), file: 'a.test.ts' },
  {
    type: 'step_started',
    uid: 'a',
    stepId: 's1',
    kind: 'Given',
    text: 'a cart',
    attempt: 1,
    stepNumber: 1,
    scenarioElapsedMs: 100,
  },
  {
    type: 'step_started',
    uid: 'a',
    stepId: 's2',
    kind: 'When',
    text: 'adding',
    attempt: 1,
    stepNumber: 2,
    parentStepNumber: 1,
    scenarioElapsedMs: 200,
  },
  {
    type: 'step_finished',
    uid: 'a',
    stepId: 's2',
    attempt: 1,
    stepNumber: 2,
    status: 'failed',
    durationMs: 300,
    errorMessage: 'no stock',
    exceptionType: 'StockError',
  },
  { type: 'step_finished', uid: 'a', stepId: 's1', attempt: 1, stepNumber: 1, status: 'ok', durationMs: 500 },
  {
    type: 'scenario_finished',
    uid: 'a',
    outcome: 'Failed',
    attempts: 1,
    durationMs: 1000,
    at: at(2),
    errorMessage: 'no stock',
    errors: [{ message: 'no stock', name: 'StockError', stack: 'StockError: no stock\n  at a.test.ts:3' }],
  },
  { type: 'retry_scheduled', uid: 'a', nextAttempt: 2, disposition: 'RetryInProcess', reason: 'no stock' },
  { type: 'scenario_started', uid: 'a', feature: 'Cart', scenario: 'adds', attempt: 2, at: at(3) },
  { type: 'scenario_finished', uid: 'a', outcome: 'PassOnRetry', attempts: 2, durationMs: 500, at: at(4) },
  { type: 'scenario_started', uid: 'b', feature: 'Cart', scenario: 'removes', attempt: 1, at: at(4) },
  { type: 'scenario_finished', uid: 'b', outcome: 'Skipped', attempts: 1, durationMs: 0, at: at(4) },
  {
    type: 'run_finished',
    passed: 0,
    failed: 0,
    passedOnRetry: 1,
    skipped: 1,
    indeterminate: 0,
    exitCode: 0,
    finishedAt: at(5),
  },
].map((event) => ({ runId, ...event }));

const named = (spans: readonly ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

async function later({ clock }: Started, ms: number): Promise<void> {
  clock.advance(ms);
  await clock.tick();
}

test('a run is a trace of its tests and steps, as the published protocol has it', async () => {
  await using collector = await openCollector();
  await using service = await start({
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20s3cret,x-tenant=shop',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,team=a%20b',
      OTEL_SERVICE_NAME: 'signals',
      HostName: 'box-1',
    },
  });
  await service.console('POST', '/api/ingest', { events });
  await expect.poll(() => collector.spans().length).toBe(6);
  expect(collector.faults).toEqual([]);
  const spans = collector.spans();
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([runTraceId(runId)]));
  const [root] = named(spans, 'unit');
  expect(root).toMatchObject({
    spanId: runSpanId(runId),
    startTimeUnixNano: nanos(0),
    endTimeUnixNano: nanos(5),
    status: { code: 1 },
  });
  expect(root?.parentSpanId).toBeUndefined();
  expect(attribute(root!, 'signalbox.run.id')).toBe(runId);
  expect(attribute(root!, 'vcs.ref.head.name')).toBe('main');
  const [first, second] = named(spans, 'adds');
  expect(first).toMatchObject({
    spanId: testSpanId(runId, 'a', 1),
    parentSpanId: root?.spanId,
    startTimeUnixNano: nanos(1),
    endTimeUnixNano: nanos(2),
    status: { code: 2, message: 'no stock' },
  });
  expect(first?.events).toHaveLength(1);
  expect(first?.events?.map((event) => [event.name, attribute(event, 'exception.type')])).toEqual([
    ['exception', 'StockError'],
  ]);
  expect(second).toMatchObject({ spanId: testSpanId(runId, 'a', 2), status: { code: 1 } });
  const [given] = named(spans, 'Given a cart');
  const [when] = named(spans, 'When adding');
  expect(given).toMatchObject({ parentSpanId: first?.spanId, status: { code: 1 } });
  expect(when).toMatchObject({ parentSpanId: given?.spanId, status: { code: 2 } });
  expect(BigInt(when!.endTimeUnixNano) - BigInt(when!.startTimeUnixNano)).toBe(300_000_000n);
  expect(named(spans, 'removes')).toMatchObject([{ status: { code: 0 } }]);
  const [request] = collector.requests;
  expect(request).toMatchObject({
    path: '/v1/traces',
    headers: { authorization: 'Bearer s3cret', 'x-tenant': 'shop', 'content-type': 'application/json' },
  });
  const { resource } = request!.body.resourceSpans[0];
  expect(
    ['service.name', 'host.name', 'team', 'deployment.environment.name'].map((key) => attribute(resource, key)),
  ).toEqual(['signals', 'box-1', 'a b', 'test']);
  expect(service.logged()).not.toContain('s3cret');
});

test('a run that was sent in a trace continues it, and a restart or a late event sends it no second time', async () => {
  await using collector = await openCollector();
  const settings = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/traces` };
  await using before = await start({ settings });
  const [first, ...rest] = wholeRun(runId, 'a', 'Failed');
  await before.console('POST', '/api/ingest', { events: [first] }, { traceparent });
  await before.stop();
  await using service = await start({ settings, home: before.home });
  await service.console(
    'POST',
    '/api/ingest',
    { events: rest },
    { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` },
  );
  await expect.poll(() => collector.spans().length).toBe(2);
  await service.console('POST', '/api/ingest', {
    events: [{ type: 'scenario_started', runId, uid: 'late', at: at(9) }],
  });
  await service.console('POST', '/api/ingest', { events: wholeRun('another', 'a', 'CleanPass') });
  await expect.poll(() => collector.spans().length).toBe(4);
  const [root, scenario] = collector.spans();
  expect(root).toMatchObject({
    traceId: parent.traceId,
    parentSpanId: parent.spanId,
    spanId: runSpanId(runId),
    status: { code: 2, message: '1 of 1 tests failed' },
  });
  expect(scenario).toMatchObject({ traceId: parent.traceId, parentSpanId: runSpanId(runId) });
  expect(collector.spans().map(({ traceId }) => traceId)).toEqual([
    ...[parent.traceId, parent.traceId],
    ...[runTraceId('another'), runTraceId('another')],
  ]);
  expect(collector.requests.every(({ path }) => path === '/own/traces')).toBe(true);
  expect(collector.faults).toEqual([]);
});

test('a node is a trace from its first claim to its proof, linked to the run that proved it', async () => {
  await using collector = await openCollector();
  await using service = await start({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  const nodes = [{ id: 'a', title: 'First', binding: { kind: 'suite', suite: 'unit' } }];
  await service.call('POST', '/api/plans', { plan: 'rel', nodes });
  const claim = (headers?: Record<string, string>) =>
    service.call('POST', '/api/plans/rel/nodes/a/claim', { agent: 'ada' }, headers);
  const release = (body: object) => service.call('POST', '/api/plans/rel/nodes/a/release', { agent: 'ada', ...body });
  expect((await claim({ traceparent })).status).toBe(200);
  service.clock.advance(60_000);
  await release({ outcome: 'failed', error: 'the build is broken, see https://ada:pw@ci.example/7' });
  await expect.poll(() => collector.spans().length).toBe(1);
  service.clock.advance(10 * 60_000);
  await claim();
  service.clock.advance(60_000);
  await release({ outcome: 'submitted', note: 'ready' });
  await service.console('POST', '/api/ingest', { events: wholeRun('proof-run', 'a', 'CleanPass') });
  await expect.poll(() => named(collector.spans(), 'node rel/a').length).toBe(1);
  expect(collector.faults).toEqual([]);
  const spans = collector.spans().filter(({ traceId }) => traceId === parent.traceId);
  const [root] = named(spans, 'node rel/a');
  const [failedClaim, submitted] = named(spans, 'claim');
  const [proof] = named(spans, 'proof');
  expect(root).toMatchObject({ parentSpanId: parent.spanId, status: { code: 1 } });
  expect(attribute(root!, 'signalbox.node.claims')).toBe('2');
  const run = { traceId: runTraceId('proof-run'), spanId: runSpanId('proof-run') };
  expect([root?.links, proof?.links]).toEqual([[run], [run]]);
  expect(failedClaim).toMatchObject({ parentSpanId: root?.spanId, status: { code: 2 } });
  expect(JSON.stringify(failedClaim)).not.toContain('pw@');
  expect(submitted).toMatchObject({ parentSpanId: root?.spanId, status: { code: 1 } });
  expect(attribute(submitted!, 'signalbox.claim.outcome')).toBe('submitted');
  expect(proof).toMatchObject({ parentSpanId: root?.spanId, startTimeUnixNano: submitted?.endTimeUnixNano });
  expect(root?.startTimeUnixNano).toBe(failedClaim?.startTimeUnixNano);
  expect(BigInt(root!.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(submitted!.endTimeUnixNano));
  expect(named(collector.spans(), 'unit')).toMatchObject([run]);
});

test('a caller that does not record its trace decides for the run and the node that continue it', async () => {
  await using collector = await openCollector();
  await using service = await start({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  const unsampled = { traceparent: traceparent.replace(/01$/, '00') };
  const nodes = ['a', 'b'].map((id) => ({ id, binding: { kind: 'suite', suite: `suite-${id}` } }));
  await service.call('POST', '/api/plans', { plan: 'rel', nodes });
  for (const [node, headers] of [
    ['a', unsampled],
    ['b', { traceparent }],
  ] as const) {
    await service.call('POST', `/api/plans/rel/nodes/${node}/claim`, { agent: 'ada' }, headers);
    await service.call('POST', `/api/plans/rel/nodes/${node}/release`, { agent: 'ada', outcome: 'submitted' });
    const run = wholeRun(`run-${node}`, 'a', 'CleanPass', { suite: `suite-${node}` });
    await service.console('POST', '/api/ingest', { events: run }, headers);
  }
  await expect.poll(() => named(collector.spans(), 'node rel/b').length).toBe(1);
  await service.stop();
  const names = collector.spans().map(({ name }) => name);
  expect(names.toSorted()).toEqual(['a', 'claim', 'node rel/b', 'proof', 'suite-b']);
  expect(collector.faults).toEqual([]);
});

test('the metrics are those of /metrics, read at the interval and once more at the end', async () => {
  await using collector = await openCollector();
  await using service = await start({
    settings: {
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics`,
      OTEL_METRIC_EXPORT_INTERVAL: '5000',
    },
  });
  await service.call('GET', '/api/plans');
  await service.console('GET', '/api/runs');
  await later(service, 5_000);
  await expect.poll(() => collector.metrics().length).toBeGreaterThan(10);
  expect(collector.faults).toEqual([]);
  const metrics = collector.metrics();
  const metric = (name: string) => metrics.find((one) => one.name === name);
  expect(metrics.filter(({ name }) => name === 'signalbox_http_requests_total')).toHaveLength(1);
  const requests = metric('signalbox_http_requests_total').sum;
  expect(requests).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 });
  const ports = requests.dataPoints.map((point: Parameters<typeof attribute>[0]) => attribute(point, 'port'));
  expect(new Set(ports)).toEqual(new Set(['console', 'coordination']));
  const [point] = metric('signalbox_http_request_duration_seconds').histogram.dataPoints;
  expect(point.bucketCounts).toHaveLength(point.explicitBounds.length + 1);
  expect(point.bucketCounts.reduce((sum: number, count: string) => sum + Number(count), 0)).toBe(Number(point.count));
  expect(metric('signalbox_ready').gauge.dataPoints).toMatchObject([{ asDouble: 1 }]);
  const { text } = await service.call('GET', '/metrics');
  const served = new Set(text.match(/(?<=^# TYPE )\S+/gm));
  expect(metrics.map(({ name }) => name).filter((name) => !served.has(name) && !/runs|ingest/.test(name))).toEqual([]);
  const before = collector.requests.length;
  await service.stop();
  expect(collector.requests.length).toBe(before + 1);
});

test('a collector that is away harms nothing: what waits is sent when it is back, in order', async () => {
  await using collector = await openCollector();
  await using service = await start({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  collector.answers({ status: 0 });
  const runs = ['one', 'two', 'three'];
  for (const id of runs)
    expect((await service.console('POST', '/api/ingest', { events: wholeRun(id, 'a', 'CleanPass') })).status).toBe(202);
  await expect.poll(() => collector.requests.length).toBe(1);
  const reported = async () => (await service.call('GET', '/api/ready')).text;
  await expect.poll(reported).toContain('OpenTelemetry');
  expect((await service.call('GET', '/api/ready')).status).toBe(200);
  await later(service, 500);
  expect(collector.requests).toHaveLength(1);
  collector.answers({ status: 200 });
  await later(service, 1_000);
  await expect.poll(() => collector.spans().filter(({ name }) => name === 'unit').length).toBe(3);
  expect(named(collector.spans(), 'unit').map(({ traceId }) => traceId)).toEqual(runs.map(runTraceId));
  await expect.poll(reported).not.toContain('OpenTelemetry');
  const { text } = await service.call('GET', '/metrics');
  expect(text).toContain('signalbox_otel_traces_total{result="sent"} 3');
});

test('429 is retried after the requested time, 400 is not, and data that a hanging collector never accepts is dropped and counted', async () => {
  await using collector = await openCollector();
  await using service = await start({
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_METRICS_EXPORTER: 'none',
    },
  });
  const publish = (id: string) => service.console('POST', '/api/ingest', { events: wholeRun(id, 'a', 'CleanPass') });
  const counted = async () => (await service.call('GET', '/metrics')).text;
  collector.answers({ status: 429, headers: { 'retry-after': '20' } });
  await publish('patient');
  await expect.poll(() => collector.requests.length).toBe(1);
  await later(service, 19_000);
  expect(collector.requests).toHaveLength(1);
  collector.answers({ status: 400 });
  const retried = async () => {
    await later(service, 1_000);
    return collector.requests.length;
  };
  await expect.poll(retried).toBe(2);
  await expect.poll(counted).toContain('signalbox_otel_traces_total{result="dropped"} 1');
  collector.answers('hang');
  await publish('hanging');
  const given = async () => {
    await later(service, 30_000);
    return counted();
  };
  await expect.poll(given).toContain('signalbox_otel_traces_total{result="dropped"} 2');
  expect(service.logged()).toContain('no answer within 100 ms');
  await publish('last');
  await service.stop();
});

test('a large run is sent in requests of bounded size, and its texts are cut', async () => {
  await using collector = await openCollector();
  await using service = await start({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  const tests = Array.from({ length: 1_500 }, (_, index) => ({
    type: 'scenario_finished',
    uid: `t${index}`,
    scenario: `test ${index}`,
    outcome: 'Failed',
    at: at(1),
    errorMessage: `${'😀'.repeat(10_000).slice(0, index % 2 ? 3_999 : 4_000)}${'x'.repeat(2_000)}`,
  }));
  const [started, , , finished] = wholeRun(runId, 'a', 'Failed');
  const all = [started, ...tests, finished].map((event) => ({ runId, ...event }));
  for (let from = 0; from < all.length; from += 300)
    await service.console('POST', '/api/ingest', { events: all.slice(from, from + 300) });
  await expect.poll(() => collector.spans().length).toBe(1_501);
  expect(collector.faults).toEqual([]);
  expect(Math.max(...collector.requests.map(({ bytes }) => bytes))).toBeLessThan(2 * 1024 * 1024);
  expect(collector.requests.length).toBeGreaterThan(3);
  const longest = collector.spans().map((span) => JSON.stringify(span).length);
  expect(Math.max(...longest)).toBeLessThan(10_000);
});

test('a claim over MCP continues the trace of its _meta', async () => {
  await using collector = await openCollector();
  await using service = await start({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } });
  await service.call('POST', '/api/plans', { plan: 'rel', nodes: [{ id: 'a', binding: { kind: 'signOff' } }] });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/api/mcp`)));
  const claim = { name: 'claim_node', arguments: { plan: 'rel', node: 'a', agent: 'ada' }, _meta: { traceparent } };
  expect((await client.callTool(claim)).isError).toBeFalsy();
  await client.close();
  await service.call('POST', '/api/plans/rel/nodes/a/release', { agent: 'ada', outcome: 'submitted' });
  await service.call('POST', '/api/plans/rel/nodes/a/sign-off?by=eve', {});
  await expect.poll(() => collector.spans().map(({ name }) => name)).toEqual(['claim', 'node rel/a', 'proof']);
  expect(collector.spans().map(({ traceId }) => traceId)).toEqual([parent.traceId, parent.traceId, parent.traceId]);
  expect(named(collector.spans(), 'node rel/a')).toMatchObject([{ parentSpanId: parent.spanId }]);
  expect(collector.faults).toEqual([]);
});
