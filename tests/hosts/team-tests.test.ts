import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { wholeRun } from './whole-run.ts';

const patience = { interval: 50 };
const host = (Store: string, HostName: string) =>
  start({ clock: systemClock, settings: { Store, HostName, LicenceGate: 'off' } });

const tests = async (one: Started, door: 'call' | 'console', order = 'flaky') =>
  (await one[door]('GET', `/api/suites/tests?order=${order}`)).body;
const history = async (one: Started, door: 'call' | 'console') =>
  (await one[door]('GET', '/api/tests?uid=Cart%2Ftotal')).body;

async function flakyOverMcp(one: Started): Promise<unknown> {
  const client = await newMcpClient(one.url);
  const { structuredContent } = await client.callTool({ name: 'flaky_tests', arguments: {} });
  await client.close();
  return structuredContent;
}

// Verdicts are compared within a branch, so it does not matter which host's run arrived first.
const runs = [
  ['ada', 'main', 'a-1', 'CleanPass'],
  ['bob', 'topic', 'b-1', 'Failed'],
  ['ada', 'main', 'a-2', 'Failed'],
  ['bob', 'topic', 'b-2', 'CleanPass'],
  ['ada', 'main', 'a-3', 'CleanPass'],
  ['bob', 'topic', 'b-3', 'PassOnRetry'],
] as const;

test('which tests are flaky is one answer on every host and by every door, also while a host is away', async () => {
  const store = await cloneDatabase();
  await using ada = await host(store, 'ada');
  await using bob = await host(store, 'bob');
  await using cyd = await host(store, 'cyd');
  const hosts = { ada, bob };
  for (const [at, branch, runId, outcome] of runs)
    await hosts[at].console('POST', '/api/ingest', { events: wholeRun(runId, 'Cart/total', outcome, { branch }) });
  const wanted = [{ uid: 'Cart/total', runs: 6, suiteRuns: 6, retried: 1, flipRate: 3 / 4, failRate: 2 / 6 }];
  for (const one of [ada, bob, cyd])
    for (const door of ['call', 'console'] as const)
      await expect.poll(() => tests(one, door), patience).toMatchObject(wanted);
  for (const order of ['flaky', 'failing', 'slowest']) {
    const expected = await tests(ada, 'call', order);
    for (const one of [bob, cyd]) expect(await tests(one, 'call', order), order).toEqual(expected);
  }
  const mcp = await flakyOverMcp(ada);
  expect(mcp).toMatchObject({ items: [{ uid: 'Cart/total', runs: 6, retried: 1, flipRate: 3 / 4 }] });
  for (const one of [bob, cyd]) expect(await flakyOverMcp(one)).toEqual(mcp);
  const told = await history(ada, 'call');
  const outcomes = told.items.map(({ runId, outcome }: { runId: string; outcome: string }) => `${runId} ${outcome}`);
  expect(outcomes.sort()).toEqual(runs.map(([, , runId, outcome]) => `${runId} ${outcome}`).sort());
  for (const one of [ada, bob, cyd])
    for (const door of ['call', 'console'] as const) expect(await history(one, door)).toEqual(told);
  const changes = async (one: Started) => (await one.call('GET', '/api/report?since=24h')).body.tests;
  expect(await changes(ada)).toMatchObject({ flaky: [{ uid: 'Cart/total' }] });
  for (const one of [bob, cyd]) expect(await changes(one)).toEqual(await changes(ada));
  await ada.stop();
  for (const one of [bob, cyd]) expect(await tests(one, 'call')).toMatchObject(wanted);
});

test('for a suite that is too large to share, each host answers from its own runs, and marks it', async () => {
  const store = await cloneDatabase();
  await using ada = await host(store, 'ada');
  await using bob = await host(store, 'bob');
  const [started, , verdict, finished] = wholeRun('large', 'Cart/total', 'PassOnRetry');
  const others = Array.from({ length: 5_000 }, (_, n) => ({ ...verdict, uid: `Cart/${n}`, outcome: 'CleanPass' }));
  await ada.console('POST', '/api/ingest', { events: [started, verdict, ...others, finished] });
  await bob.console('POST', '/api/ingest', { events: wholeRun('small', 'Cart/total', 'PassOnRetry') });
  const alone = (lastRunId: string) => [{ uid: 'Cart/total', runs: 1, lastRunId, thisHostOnly: true }];
  await expect.poll(() => tests(bob, 'call'), patience).toMatchObject(alone('small'));
  await expect.poll(() => tests(ada, 'call'), patience).toMatchObject(alone('large'));
  expect(await flakyOverMcp(bob)).toMatchObject({ items: alone('small') });
  expect(await history(ada, 'console')).toMatchObject({ items: [{ runId: 'large' }], thisHostOnly: true });
});
