import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { smallRun } from '../recorded-run.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

const send = async (service: Started, runId: string, outcome: string, more: object = {}) => {
  await service.console('POST', '/api/ingest', {
    events: smallRun(runId, { outcomes: [outcome, 'CleanPass'], suite: 'unit', ...more }),
  });
  service.clock.advance(60_000);
};
const history = async (service: Started, more = '') =>
  (await service.console('GET', `/api/tests?uid=${encodeURIComponent('Cart/0')}&suite=unit${more}`)).body;
const runIds = ({ items }: { items: { runId: string }[] }) => items.map(({ runId }) => runId);

verifies(
  ['tests:history', 'tests:list', 'tests:expected'],
  'a test tells its verdicts, since when it fails, how often it flips and how long it usually takes',
  async () => {
    await using service = await start();
    await send(service, 'r1', 'CleanPass', { branch: 'main', commit: 'c1' });
    await send(service, 'r2', 'Failed', { branch: 'main', commit: 'c2' });
    await send(service, 'r3', 'CleanPass', { branch: 'main', commit: 'c3' });
    await send(service, 'r4', 'Failed', { branch: 'main', commit: 'c4' });
    await send(service, 'r5', 'Failed', { branch: 'main', commit: 'c5' });
    await send(service, 'elsewhere', 'CleanPass', { suite: 'e2e' });
    const told = await history(service);
    expect(told).toMatchObject({ flipRate: 3 / 4, failRate: 3 / 5, sinceRunId: 'r4', sinceCommit: 'c4' });
    expect(runIds(told)).toEqual(['r5', 'r4', 'r3', 'r2', 'r1']);
    expect(told.items[0]).toEqual({
      ...{ runId: 'r5', at: expect.any(String), branch: 'main', commit: 'c5' },
      ...{ outcome: 'Failed', durationMs: 5, attempts: 1 },
    });
    expect(runIds(await history(service, '&limit=2&repository=%2Fsrc%2Fshop'))).toEqual(['r5', 'r4']);
    expect(await history(service, '&repository=acme%2Fother')).toMatchObject({ items: [], sinceRunId: null });
    expect((await service.console('GET', '/api/tests?suite=unit')).status).toBe(400);

    const tests = async (order: string) => (await service.call('GET', `/api/suites/tests?order=${order}`)).body;
    expect(await tests('failing')).toMatchObject([
      { uid: 'Cart/0', suite: 'unit', sinceRunId: 'r4', runs: 5, medianMs: 5, recent: expect.any(Array) },
    ]);
    expect(await tests('flaky')).toMatchObject([{ uid: 'Cart/0', retried: 0, flipRate: 3 / 4 }]);
    expect(await tests('slowest')).toHaveLength(4);
    const relayed = await service.call('GET', '/api/tests?uid=Cart%2F0&suite=unit');
    expect(relayed.body).toEqual(told);
    const suites = await service.call('GET', '/api/suites');
    expect(suites.body).toEqual((await service.console('GET', '/api/suites')).body);

    await send(service, 'r7', 'PassOnRetry');
    await send(service, 'r6', 'CleanPass', { finished: false });
    const mcp = await newMcpClient(service.url);
    const flaky = await mcp.callTool({ name: 'flaky_tests', arguments: {} });
    expect(flaky.structuredContent).toMatchObject({ items: [{ uid: 'Cart/0', retried: 1, lastRunId: 'r7' }] });
    await mcp.close();
    const [scenario] = (await service.console('GET', '/api/runs/r6')).body.scenarios;
    expect(scenario).toMatchObject({ uid: 'Cart/0', expectedMs: 5 });
  },
);

verifies('tests:beyond-eject', 'what tests did is known after their runs are ejected and after a restart', async () => {
  await using service = await start();
  for (const runId of ['r1', 'r2', 'r3']) await send(service, runId, 'Failed');
  expect((await service.call('DELETE', '/api/runs')).body.count).toBe(3);
  expect(runIds(await history(service))).toEqual(['r3', 'r2', 'r1']);
  await service.stop();

  await using again = await start({ home: service.home, clock: service.clock });
  await send(again, 'r4', 'CleanPass');
  expect(runIds(await history(again))).toEqual(['r4', 'r3', 'r2', 'r1']);
  await again.stop();

  // Lost data is read again from the archives that still exist.
  await rm(join(service.dataPath, 'runs.sqlite'));
  await using third = await start({ home: service.home, clock: service.clock });
  await expect
    .poll(async () => {
      third.clock.advance(1_000);
      await third.clock.tick();
      return runIds(await history(third));
    })
    .toEqual(['r4']);
});

verifies(
  'tests:history',
  'who opens a run does not wait for the history of other suites, however many of their runs are to be written',
  async () => {
    await using service = await start();
    const suites = () => service.running.console.runs.runs.store.history.suites();
    for (const suite of ['unit', 'e2e', 'slow'])
      await service.console('POST', '/api/ingest', { events: smallRun(`run-of-${suite}`, { suite }) });
    expect((await service.console('GET', '/api/runs/run-of-unit')).status).toBe(200);
    expect(suites()).toHaveLength(1);
    expect(runIds(await history(service))).toEqual(['run-of-unit']);
    expect(suites()).toHaveLength(1);
    expect((await service.console('GET', '/api/suites/tests?order=slowest')).body).not.toEqual([]);
    expect(suites()).toHaveLength(3);
  },
);
