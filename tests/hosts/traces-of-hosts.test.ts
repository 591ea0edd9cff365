import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { type Started, start } from '../start.ts';
import { openCollector } from '../telemetry/collector.ts';
import { wholeRun } from './whole-run.ts';

const patience = { interval: 50 };
const plan = 'rel';
const nodes = Array.from({ length: 8 }, (_, at) => ({
  id: `n${at}`,
  binding: { kind: 'suite', suite: `suite-${at}` },
}));

/** Whether it knows both hosts, so that they agree on who sends what. */
const hostsSeenBy = async ({ url }: Started) =>
  /^signalbox_hosts(?:\{[^}]*\})? (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];

async function work({ call, console }: Started, at: number): Promise<void> {
  const of = `/api/plans/${plan}/nodes/n${at}`;
  expect((await call('POST', `${of}/claim`, { agent: 'ada' })).status).toBe(200);
  expect((await call('POST', `${of}/release`, { agent: 'ada', outcome: 'submitted' })).status).toBe(200);
  await console('POST', '/api/ingest', { events: wholeRun(`run-${at}`, 'a', 'CleanPass', { suite: `suite-${at}` }) });
}

test('of two hosts that both have a collector one sends the trace of a node, and each the runs of its console', async () => {
  const Store = await cloneDatabase();
  await using collector = await openCollector();
  const host = (HostName: string) =>
    start({
      clock: systemClock,
      settings: { Store, HostName, LicenceGate: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
  await using ada = await host('ada');
  await using bob = await host('bob');
  for (const one of [ada, bob]) await expect.poll(() => hostsSeenBy(one), patience).toBe('2');
  expect((await ada.call('POST', '/api/plans', { plan, nodes })).status).toBe(201);
  await expect.poll(async () => (await bob.call('GET', `/api/plans/${plan}`)).status, patience).toBe(200);
  for (const at of nodes.keys()) await work(at % 2 === 0 ? ada : bob, at);
  const spanIds = () => new Set(collector.spans().map(({ spanId }) => spanId));
  // A node, its claim and its proof; a run and its test.
  await expect.poll(() => spanIds().size, patience).toBe(5 * nodes.length);
  // A stop sends what is left, so a second copy of a span would have arrived by now.
  await ada.stop();
  await bob.stop();
  const spans = collector.spans();
  expect(collector.faults).toEqual([]);
  expect(spans).toHaveLength(spanIds().size);
  const counted = (name: RegExp) => spans.filter((span) => name.test(span.name)).length;
  expect([counted(/^node /), counted(/^claim$/), counted(/^proof$/), counted(/^suite-/)]).toEqual([8, 8, 8, 8]);
});
