import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { backUp } from '../../packages/service/src/app/backup.ts';
import { drillBackup } from '../../packages/service/src/app/backup-drill.ts';
import { manifestText } from '../../packages/service/src/app/backup-manifest.ts';
import { restore } from '../../packages/service/src/app/restore.ts';
import { verifyBackup } from '../../packages/service/src/app/verify-backup.ts';
import { wholeRun } from '../hosts/whole-run.ts';
import { signalbox, startedProcess } from '../spawn.ts';
import { start } from '../start.ts';
import { filesIn } from './damage.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-proven-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = '2026-01-01T09:00:00.000Z';
const sourceOf = (dataPath: string) => ({ dataPath, store: 'sqlite' as const });

test('a service backs itself up into BackupPath, verifies each, and keeps as many as were asked for', async () => {
  const BackupPath = join(folder, 'own');
  const settings = { BackupPath, BackupEvery: '1', BackupKeep: '2' };
  await using service = await start({ settings });
  await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'a' }] });
  await service.console('POST', '/api/ingest', { events: wholeRun('r1', 'Cart/total', 'CleanPass') });
  const count = () => service.logged().split('backed up and verified').length - 1;
  for (let turn = 1; turn <= 2; turn += 1) {
    await expect.poll(count).toBe(turn);
    service.clock.advance(3_600_000);
    await service.clock.tick();
  }
  await expect.poll(count).toBe(3);
  const kept = readdirSync(BackupPath).sort();
  expect(kept).toHaveLength(2);
  const newest = join(BackupPath, kept.at(-1) ?? '');
  expect(await verifyBackup(newest)).toMatchObject({ events: 1, warnings: [] });

  const database = new DatabaseSync(join(service.dataPath, 'signalbox.sqlite'));
  database.exec(`UPDATE events SET data = replace(data, 'shop', 'shed')`);
  database.close();
  service.clock.advance(3_600_000);
  await service.clock.tick();
  await expect.poll(service.logged).toContain('cannot back up; earlier backups are kept');
  expect(service.logged()).toContain(`The last good one is ${newest}`);
  expect(readdirSync(BackupPath).sort()).toEqual(kept);
});

test('a service goes on backing itself up after its clock was ahead, and keeps the newest', async () => {
  const BackupPath = join(folder, 'ahead');
  await using service = await start({ settings: { BackupPath, BackupEvery: '1', BackupKeep: '1' } });
  const count = () => service.logged().split('backed up and verified').length - 1;
  const later = async (ms: number) => {
    service.clock.advance(3_600_000);
    service.clock.setWall(ms);
    await service.clock.tick();
  };
  await expect.poll(count).toBe(1);
  await later(Date.UTC(2036, 0, 1));
  await expect.poll(count).toBe(2);
  await later(Date.UTC(2026, 0, 2));
  await expect.poll(count).toBe(3);
  await expect.poll(() => readdirSync(BackupPath)).toEqual([expect.stringContaining('signalbox-2026-01-02')]);
});

test('a service makes no more backups than were asked for where it cannot note them in its data path', async () => {
  const BackupPath = join(folder, 'unnoted');
  const home = mkdtempSync(join(folder, 'full-'));
  await (await start({ home })).stop();
  mkdirSync(join(home, '.signalbox', 'last-backup.json'));
  await using service = await start({ home, settings: { BackupPath, BackupEvery: '1' } });
  const count = () => service.logged().split('backed up and verified').length - 1;
  await expect.poll(count).toBe(1);
  for (let looks = 0; looks < 3; looks += 1) {
    service.clock.advance(6 * 60_000);
    await service.clock.tick();
  }
  expect(count()).toBe(1);
});

test('a backup whose thread ends without a word is reported', async () => {
  const BackupPath = join(folder, 'thread');
  const ends = join(folder, 'ends.cjs');
  writeFileSync(ends, `if (!require('node:worker_threads').isMainThread) process.exit(3);`);
  const settings = { Service__BackupPath: BackupPath, NODE_OPTIONS: `--require=${ends}` };
  await using service = await startedProcess(settings);
  await service.says(/exit code 3/);
});

test('what a killed service left of its own backup is removed a day later', async () => {
  const BackupPath = join(folder, 'killed');
  const [old, recent, foreign] = [
    'signalbox-2025-12-30T09-00-00-000Z.tar.gz.partial',
    'signalbox-2026-01-01T08-00-00-000Z.tar.gz.new',
    'notes.tar.gz.partial',
  ];
  for (const left of [old, recent, foreign]) mkdirSync(join(BackupPath, left, 'runs'), { recursive: true });
  await using service = await start({ settings: { BackupPath } });
  await expect.poll(service.logged).toContain('backed up and verified');
  const kept = readdirSync(BackupPath);
  expect(kept).toEqual(expect.arrayContaining([recent, foreign]));
  expect(kept).not.toContain(old);
});

test('a drill restores a backup, starts a service on it and compares the data', async () => {
  const home = mkdtempSync(join(folder, 'drilled-'));
  const service = await start({ home });
  await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'a' }] });
  await service.console('POST', '/api/ingest', { events: wholeRun('r1', 'Cart/total', 'CleanPass') });
  await service.stop();
  const packed = join(folder, 'drilled.tar.gz');
  await backUp(sourceOf(service.dataPath), packed, at);
  await using typed = signalbox(['backup', 'drill', packed], {}, home);
  expect(await typed.ended, typed.err()).toBe(0);
  expect(typed.out()).toMatch(/events +1 +1\nplans +1 +1\nruns +1 +1\n[\s\S]*a restore works/);

  // A complete backup whose content differs from what its service shows.
  const other = join(folder, 'other');
  const manifest = { ...(await verifyBackup(packed)), files: 0, bytes: 0, events: 0, sequence: 0, contents: {} };
  mkdirSync(join(other, 'runs'), { recursive: true });
  writeFileSync(join(other, 'backup.json'), manifestText(manifest));
  expect((await drillBackup(other, at)).compared).toMatchObject([{ service: 0 }, { service: 0 }, { service: 0 }]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('signalbox-drill-'))).toEqual([]);
});

test('an archive that changed since the backup before is copied with a warning', async () => {
  const home = mkdtempSync(join(folder, 'changed-'));
  const service = await start({ home });
  for (const run of ['r1', 'r2', 'r3'])
    await service.console('POST', '/api/ingest', { events: wholeRun(run, 'Cart/total', 'CleanPass') });
  await service.stop();
  const { dataPath } = service;
  expect((await backUp(sourceOf(dataPath), join(folder, 'before'), at)).warnings).toEqual([]);
  const [r1, r2, r3] = ['r1', 'r2', 'r3'].map((run) => join(dataPath, 'runs', `${run}.ndjson`)) as [
    string,
    string,
    string,
  ];
  writeFileSync(r1, readFileSync(r1, 'utf8').replace('CleanPass', 'CleanPasS'));
  writeFileSync(r2, `${readFileSync(r2, 'utf8')}{}\n`);
  rmSync(r3);
  const target = join(folder, 'after');
  await using typed = signalbox(['backup', target], {}, home);
  expect(await typed.ended, typed.err()).toBe(0);
  expect(typed.out()).toContain('warning the archive of run r3 is missing');
  expect(typed.out()).toContain('warning runs/r1.ndjson differs from its copy in the previous backup');
  expect(typed.out()).toMatch(/warning the archive of run r2 has \d+ of \d+ bytes/);
});

test('a packed backup that holds more than its list is refused before it fills the disk', async () => {
  const [bomb, home] = [join(folder, 'bomb'), join(folder, 'bombed')];
  mkdirSync(bomb);
  writeFileSync(join(bomb, 'zeros'), Buffer.alloc(64 * 1024 * 1024));
  const manifest = {
    signalbox: '9',
    at,
    store: 'sqlite' as const,
    events: 0,
    sequence: 0,
    files: 1,
    bytes: 10,
    warnings: [],
    contents: {},
  };
  writeFileSync(join(bomb, 'backup.json'), manifestText(manifest));
  const pack = (name: string, ...more: string[]) =>
    execFileSync('tar', ['-czf', join(folder, name), ...more, '-C', bomb, 'backup.json', 'zeros']);
  pack('bomb.tar.gz');
  await expect(restore(sourceOf(home), join(folder, 'bomb.tar.gz'), false, at)).rejects.toThrow(
    'files that are not listed in it',
  );
  writeFileSync(join(bomb, 'backup.json'), manifestText({ ...manifest, bytes: 2 ** 50 }));
  pack('huge.tar.gz');
  await expect(restore(sourceOf(home), join(folder, 'huge.tar.gz'), false, at)).rejects.toThrow(
    /needs .* MB, and .* has/,
  );
  writeFileSync(join(bomb, 'backup.json'), manifestText({ ...manifest, bytes: 2 ** 27 }));
  pack('out.tar.gz', '--transform=s,zeros,../zeros,', '-P');
  await expect(restore(sourceOf(home), join(folder, 'out.tar.gz'), false, at)).rejects.toThrow('not part of a backup');
  expect(existsSync(home)).toBe(false);
});

test('names in a backup are printed without control characters', async () => {
  const home = mkdtempSync(join(folder, 'escaped-'));
  const foreign = join(home, 'foreign');
  mkdirSync(foreign);
  const name = '\u001b[2Jcleared';
  const manifest = {
    signalbox: name,
    at: name,
    store: 'sqlite' as const,
    events: 0,
    sequence: 0,
    files: 0,
    bytes: 0,
    warnings: [name],
    contents: {},
  };
  writeFileSync(join(foreign, 'backup.json'), manifestText(manifest));
  cpSync(foreign, join(home, 'more'), { recursive: true });
  writeFileSync(join(home, 'more', name), '');
  await using typed = signalbox(['restore', foreign], {}, home);
  expect(await typed.ended).toBe(0);
  await using refused = signalbox(['backup', 'verify', join(home, 'more')], {}, home);
  expect(await refused.ended).toBe(1);
  expect(refused.err()).toContain('[2Jcleared is not listed in the backup');
  for (const text of [typed.out(), typed.err(), refused.out(), refused.err()]) expect(text).not.toContain('\u001b');
  expect(filesIn(join(home, '.signalbox'))).toEqual(['lock.sqlite']);
});
