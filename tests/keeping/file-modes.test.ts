import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { backUp } from '../../packages/service/src/app/backup.ts';
import { start } from '../start.ts';

/** The files under a folder to which users other than the owner have access. */
const openToOthers = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0);

test('stored files and backups are readable only by their owner, even in a folder open to everybody', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-modes-'));
  const dataPath = join(home, 'kept');
  mkdirSync(dataPath);
  chmodSync(dataPath, 0o755);
  try {
    await using service = await start({ home, settings: { DataPath: dataPath } });
    await service.call('POST', '/api/plans', { plan: 'secret', nodes: [{ id: 'n', binding: { kind: 'signOff' } }] });
    await service.console('POST', '/api/ingest', { events: [{ type: 'run_heartbeat', runId: 'r-1' }] });
    expect(readdirSync(dataPath)).toEqual(expect.arrayContaining(['lock.sqlite', 'signalbox.sqlite', 'runs']));
    expect(openToOthers(dataPath)).toEqual([]);

    const backup = join(home, 'monday');
    const { events } = await backUp(service.running.config, backup, '2026-01-01T09:00:00.000Z');
    expect(events).toBeGreaterThan(0);
    expect(openToOthers(backup)).toEqual([]);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
