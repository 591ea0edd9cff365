import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../../packages/service/src/app/backup.ts';
import { readConfig } from '../../packages/service/src/app/config.ts';
import { moveStore } from '../../packages/service/src/app/move-store.ts';
import { restore } from '../../packages/service/src/app/restore.ts';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { noteCommandLine } from '../exercised.ts';
import { addPrograms, commandOf, typeIn } from '../guide-commands.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { caller, start } from '../start.ts';

const example = 'postgres://signalbox:secret@db.example/signalbox';
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

    addPrograms(home);
    const type = (command: string, env = {}) =>
      typeIn(home, commandOf('docs/operations.md', command).replace(example, `'${store}'`), env);
    noteCommandLine(['migrate-store', '--to'], {});
    await using moving = type('signalbox migrate-store --to postgres://signalbox:secret@db.example/signalbox');
    expect(await moving.ended, moving.output()).toBe(0);
    expect(moving.output()).toMatch(
      /^Moved \d+ events of \d+ streams and 1 remembered answer into PostgreSQL\.\nVerified: read back byte for byte/,
    );
    await expect(moveStore(one.dataPath, store, at)).rejects.toThrow('only be moved into an empty database');
    await expect(start({ home, settings })).rejects.toThrow(/was moved to PostgreSQL .*Service:Store is not set/);

    const startOn = 'Service__Store=postgres://signalbox:secret@db.example/signalbox signalbox start';
    await using started = type(startOn, { PORT: '0,0', Service__HostName: 'mover' });
    const [, url = ''] = await started.says(/coordination +(\S+)\n[\s\S]*reference/);
    expect((await caller(url)('GET', '/api/plans/p/history')).text).toBe(before[0]);
    started.end('SIGTERM');
    expect(await started.ended, started.output()).toBe(0);

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
});
