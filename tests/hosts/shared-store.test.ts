import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { createCluster } from '../postgres/cluster.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

const settings = (Store: string, HostName: string) => ({ Store, HostName, LicenceGate: 'off' });
const pause = () => new Promise((resolve) => setTimeout(resolve, 10));

verifies(
  ['hosts:own-writes', 'hosts:follow-within-a-second'],
  'a plan is there at once on the host that took it and within a second on the other',
  async () => {
    const url = await cloneDatabase();
    await using ada = await start({ clock: systemClock, settings: settings(url, 'ada') });
    await using bob = await start({ clock: systemClock, settings: settings(url, 'bob') });
    const made = await ada.call('POST', '/api/plans', { plan: 'shared', title: 'Shared', nodes: [] });
    expect(made.status).toBe(201);
    expect((await ada.call('GET', '/api/plans/shared')).status).toBe(200);
    while ((await bob.call('GET', '/api/plans/shared')).status !== 200) await pause();
  },
);

verifies(
  ['hosts:database-away-writes-503', 'hosts:database-away-reads', 'reads:say-their-age', 'hosts:database-back'],
  'while the database is away writes are refused and reads go on; when it is back everything works without a restart',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-away-'));
    const cluster = await createCluster(folder);
    await cluster.start();
    try {
      const clock = systemClock;
      await using service = await start({ clock, settings: settings(cluster.url('postgres'), 'ada') });
      const create = (plan: string, headers = {}) =>
        service.call('POST', '/api/plans', { plan, title: plan, nodes: [] }, headers);
      expect((await create('before')).status).toBe(201);

      await cluster.kill();
      while ((await create('away')).status !== 503) await pause();
      expect(await create('away')).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
      expect(await create('away', { 'idempotency-key': 'k' })).toMatchObject({ status: 503 });
      for (const path of [
        '/api/plans/before',
        '/api/plans/before/status',
        '/api/plans/before/history',
        '/api/plans',
        '/api/agents',
        '/api/runs',
      ]) {
        const { status, headers } = await service.call('GET', path);
        expect([status, headers.get('age')], path).toEqual([200, expect.stringMatching(/^\d+$/)]);
      }

      await cluster.start();
      while ((await create('after', { 'idempotency-key': 'k' })).status === 503) await pause();
      const { status, headers } = await service.call('GET', '/api/plans/after');
      expect([status, headers.get('age')]).toEqual([200, null]);
    } finally {
      await cluster.stop();
      rmSync(folder, { recursive: true });
    }
  },
);
