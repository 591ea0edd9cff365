import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { openCuttingProxy } from '../postgres/cutting-proxy.ts';
import { start } from '../start.ts';
import { wholeRun } from './whole-run.ts';

test('a run that proves a node is not ejected by a policy while the database cannot take the proof', async () => {
  await using proxy = await openCuttingProxy();
  const settings = { Store: proxy.through(await cloneDatabase()), RetentionRuns: '1', ObserveSeconds: '1' };
  await using service = await start({ clock: systemClock, settings });
  const runs = async () =>
    (await service.console('GET', '/api/runs')).body.map(({ runId }: { runId: string }) => runId);
  const run = (id: string, more: object) =>
    service.console('POST', '/api/ingest', { events: wholeRun(id, 'Cart/total', 'CleanPass', more) });
  await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'cart', binding: { kind: 'suite' } }] });

  proxy.refuse(true);
  proxy.cut();
  await expect.poll(async () => (await service.call('GET', '/api/ready')).status).toBe(503);
  await run('proof', { tag: 'shop/cart' });
  await run('later', { startedAt: '2026-01-01T09:01:00.000Z' });
  await run('latest', { startedAt: '2026-01-01T09:02:00.000Z' });
  // The policy is applied when a run has ended; the run that ended last stays.
  await expect.poll(runs).toEqual(expect.arrayContaining(['latest']));
  expect(await runs()).toContain('proof');

  proxy.refuse(false);
  await expect.poll(async () => (await service.call('GET', '/api/plans/shop/nodes/cart')).body.status).toBe('done');
});
