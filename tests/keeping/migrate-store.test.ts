import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../../packages/service/src/app/backup.ts';
import { readConfig } from '../../packages/service/src/app/config.ts';
import { moveStore } from '../../packages/service/src/app/move-store.ts';
import { restore } from '../../packages/service/src/app/restore.ts';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';

const at = '2026-01-01T09:00:00.000Z';
const odd = 'Ünïcode "quoted" \\u0000 \u2028 𝒳 </script> 1e400';

test('a SQLite store is moved to PostgreSQL with its whole history, byte for byte, and back into a file by a backup', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-moving-'));
  const store = await cloneDatabase();
  const settings = { LicenceGate: 'off', HostName: 'mover' };
  const { config } = readConfig({ env: {}, args: [], cwd: home, home });
  try {
    const one = await start({ home, settings, clock: systemClock });
    await one.call('POST', '/api/plans?by=Zoë', { plan: 'p', title: odd, nodes: [{ id: 'a' }, { id: 'b' }] });
    await one.call('PUT', '/api/plans/p/nodes/a?by=x', { description: odd, estimateMinutes: 90 });
    await one.call('POST', '/api/plans/p/nodes/b/depends-on', { dependsOn: 'a' });
    const key = { 'idempotency-key': 'once' };
    const claimed = await one.call('POST', '/api/plans/p/nodes/a/claim', { agent: 'eve' }, key);
    const seen = async ({ call }: typeof one) => [
      (await call('GET', '/api/plans/p/history')).text,
      (await call('GET', '/api/plans/p')).text,
      (await call('GET', '/api/plans/p/document')).text,
    ];
    const before = await seen(one);
    await expect(moveStore(one.dataPath, store, at)).rejects.toThrow('in use by process');
    await one.stop();

    await using moving = signalbox(['migrate-store', '--to', store], {}, home);
    expect([await moving.ended, moving.err()]).toEqual([0, '']);
    expect(moving.out()).toMatch(
      /^Moved \d+ events of \d+ streams and 1 remembered answer into PostgreSQL\.\nRead back and compared: the same/,
    );
    await expect(moveStore(one.dataPath, store, at)).rejects.toThrow('empty database only');

    const two = await start({ home, settings: { ...settings, Store: store }, clock: systemClock });
    expect(await seen(two)).toEqual(before);
    const again = await two.call('POST', '/api/plans/p/nodes/a/claim', { agent: 'eve' }, key);
    expect(again.body).toEqual(claimed.body);
    await two.call('POST', '/api/plans/p/nodes/a/report', { agent: 'eve', note: odd });
    const later = await seen(two);
    expect(await backUp({ ...config, store }, join(home, 'kept'), at)).toMatchObject({ store: 'postgres' });
    await two.stop();

    await restore(config, join(home, 'kept'), true, at);
    await using three = await start({ home, settings, clock: systemClock });
    expect(await seen(three)).toEqual(later);
  } finally {
    rmSync(home, { recursive: true });
  }
}, 120_000);
