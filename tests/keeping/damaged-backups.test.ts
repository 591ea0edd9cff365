import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp } from '../../packages/service/src/app/backup.ts';
import { BadBackup, type Manifest } from '../../packages/service/src/app/backup-manifest.ts';
import { type Recovery, recover } from '../../packages/service/src/app/recover.ts';
import { restore } from '../../packages/service/src/app/restore.ts';
import { verifyBackup } from '../../packages/service/src/app/verify-backup.ts';
import { dayMs } from '../../packages/service/src/kernel/clock.ts';
import type { RawEvent } from '../../packages/service/src/store/raw-event.ts';
import { checkSqlite } from '../../packages/service/src/store/sqlite/check-sqlite.ts';
import { openRawSqlite } from '../../packages/service/src/store/sqlite/sqlite-raw.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { wholeRun } from '../hosts/whole-run.ts';
import { randomOf, seedOfRun } from '../random.ts';
import { recordFigure, rounds } from '../rounds.ts';
import { start } from '../start.ts';
import { type Damage, damage, damages, filesIn } from './damage.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-damaged-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = '2026-01-09T09:00:00.000Z';
const [sound, kept, packed] = [join(folder, 'sound'), join(folder, 'kept'), join(folder, 'kept.tar.gz')];
const sourceOf = (dataPath: string) => ({ dataPath, store: 'sqlite' as const });
const seed = seedOfRun();
const places = rounds(5, 50);

/** A data path with something of every kind: plans, one of them moved out, claims, runs, an event model. */
beforeAll(async () => {
  const settings = { LicenceGate: 'off', RetentionDays: '0', RetentionRuns: '0', DataPath: sound };
  const clock = createSettableClock();
  const first = await start({ settings, clock });
  for (const plan of ['shop', 'old']) {
    const nodes = Array.from({ length: 12 }, (_, n) => ({ id: `n${n}`, title: `Node ${n} of ${plan}` }));
    await first.call('POST', '/api/plans', { plan, nodes, description: 'x'.repeat(plan === 'shop' ? 9_000 : 10) });
    for (let n = 0; n < 36; n += 1) {
      const node = Math.floor(n / 3);
      const call = (['claim', 'report', 'release'] as const)[n % 3];
      const note = call === 'report' ? { note: `note ${n}` } : {};
      await first.call('POST', `/api/plans/${plan}/nodes/n${node}/${call}`, { agent: `agent-${node}`, ...note });
    }
  }
  await first.call('DELETE', '/api/plans/old');
  await first.console('PUT', '/api/event-model/host', { name: 'Shop', slices: [{ name: 'Pay' }] });
  for (const run of ['r1', 'r2', 'r3'])
    await first.console('POST', '/api/ingest', { events: wholeRun(run, 'Cart/total', 'CleanPass') });
  await first.stop();
  clock.advance(3 * dayMs);
  const second = await start({ home: first.home, settings: { ...settings, ArchiveDays: '1' }, clock });
  await second.stop();
  rmSync(first.home, { recursive: true, force: true });
  await backUp(sourceOf(sound), packed, at);
  await backUp(sourceOf(sound), kept, at);
});

function eventsOf(file: string): RawEvent[] {
  const reading = openRawSqlite(file);
  try {
    return [...reading.events()].flat();
  } finally {
    reading.close();
  }
}

/** The text of a row from its id on is in one piece in the file, unless it is long. */
const textOf = ({ id, type, at: time, by, provenance, data }: RawEvent): string =>
  id + type + time + by + provenance + data;

/** Recovers from a damaged source into a new data path, and compares the result with the original. */
async function expectRecovered(source: string, name: string, { kind, path, what }: Damage): Promise<Recovery> {
  const dataPath = join(folder, 'recovered');
  rmSync(dataPath, { recursive: true, force: true });
  mkdirSync(dataPath);
  const recovery = await recover({ dataPath, source, replace: false, check: false, at });
  const told = `${name}: ${path} ${what}`;
  const all = eventsOf(join(kept, 'signalbox.sqlite'));
  const found = eventsOf(join(dataPath, 'signalbox.sqlite'));
  expect(checkSqlite(join(dataPath, 'signalbox.sqlite'), 'live').damage, told).toBeNull();
  const ids = new Map(found.map((event) => [event.id, event]));
  const lost = all.filter(({ id }) => !ids.has(id));
  for (const event of all.filter(({ id }) => ids.has(id))) expect(ids.get(event.id), told).toEqual(event);
  if (path === 'signalbox.sqlite' && kind === 'length') {
    const bytes = readFileSync(join(source, path), 'utf8');
    const readable = lost.filter((event) => event.data.length < 3_000 && bytes.includes(textOf(event)));
    expect(readable, told).toEqual([]);
  } else if (path === 'signalbox.sqlite' && kind === 'byte') expect(lost.length, told).toBeLessThanOrEqual(1);
  else if (!(path === 'signalbox.sqlite' && kind === 'file')) expect(lost, told).toEqual([]);
  expect(recovery.kept, told).toBeGreaterThanOrEqual(found.length - 1);
  return recovery;
}

async function refusalOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (fault) {
    expect(fault).toBeInstanceOf(BadBackup);
    return (fault as Error).message;
  }
}

const ends = { refused: 0, recovered: 0, harmless: 0, warned: 0 };

test.each(damages)(
  `a folder with a damaged %s is refused ${places} times, and all else in it is recovered`,
  async (kind) => {
    for (let round = 0; round < places; round += 1) {
      const random = randomOf(seed, 1_000 * damages.indexOf(kind) + round);
      const broken = join(folder, 'broken');
      rmSync(broken, { recursive: true, force: true });
      cpSync(kept, broken, { recursive: true, preserveTimestamps: true });
      // The store has fewer files but is more important, so it is damaged more often.
      const done = damage(
        broken,
        kind,
        random,
        random.chance(0.5) ? ['signalbox.sqlite', 'runs.sqlite'] : filesIn(broken),
      );
      const told = `seed ${seed}, round ${round}: ${done.path} ${done.what}`;
      expect(await refusalOf(verifyBackup(broken)), told).toMatch(/is damaged: |not a complete backup/);
      const dataPath = join(folder, 'untouched');
      expect(await refusalOf(restore(sourceOf(dataPath), broken, true, at)), told).not.toBeNull();
      expect(existsSync(dataPath), told).toBe(false);
      ends.refused += 1;
      await expectRecovered(broken, told, done);
      ends.recovered += 1;
    }
  },
);

test(`a packed backup that is damaged is refused or restored as it was, ${places} times`, async () => {
  for (let round = 0; round < places; round += 1) {
    const random = randomOf(seed, 10_000 + round);
    const place = join(folder, 'packed');
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    cpSync(packed, join(place, 'kept.tar.gz'));
    const done = damage(place, random.pick(['byte', 'length']), random);
    const dataPath = join(folder, 'unpacked');
    rmSync(dataPath, { recursive: true, force: true });
    const refusal = await refusalOf(restore(sourceOf(dataPath), join(place, 'kept.tar.gz'), false, at));
    if (refusal === null) {
      // Some bytes of gzip have no effect, such as the time in its header.
      expect(filesIn(dataPath).length, done.what).toBeGreaterThan(5);
      expect(eventsOf(join(dataPath, 'signalbox.sqlite'))).toEqual(eventsOf(join(kept, 'signalbox.sqlite')));
      ends.harmless += 1;
    } else {
      expect(refusal, done.what).toMatch(/is damaged: |not a complete backup/);
      expect(existsSync(dataPath)).toBe(false);
      ends.refused += 1;
    }
  }
});

test.each(damages)(
  `a data path with a damaged %s is not backed up silently, ${places} times, and is recovered`,
  async (kind) => {
    for (let round = 0; round < places; round += 1) {
      const random = randomOf(seed, 20_000 + 1_000 * damages.indexOf(kind) + round);
      const broken = join(folder, 'live');
      rmSync(broken, { recursive: true, force: true });
      cpSync(sound, broken, { recursive: true, preserveTimestamps: true });
      const archives = filesIn(broken).filter((path) => /^(runs|archive)\/[^/]+\.ndjson$/.test(path));
      const done = damage(
        broken,
        kind,
        random,
        kind === 'swap' ? archives : ['signalbox.sqlite', 'runs.sqlite', ...archives],
      );
      const told = `seed ${seed}, round ${round}: ${done.path} ${done.what}`;
      const target = join(folder, 'of-live');
      rmSync(target, { recursive: true, force: true });
      let manifest: Manifest | null = null;
      const refusal = await refusalOf(
        backUp(sourceOf(broken), target, at).then((made) => {
          manifest = made;
        }),
      );
      const warnings = (manifest as Manifest | null)?.warnings ?? [];
      if (refusal !== null) ends.refused += 1;
      else if (warnings.length > 0) ends.warned += 1;
      else {
        expect(contentOf(target), told).toEqual(contentOf(kept));
        ends.harmless += 1;
      }
      if (refusal === null) continue;
      expect(refusal, told).toMatch(/signalbox re(cover|store)/);
      expect(existsSync(target)).toBe(false);
      if (!existsSync(join(broken, 'signalbox.sqlite'))) continue;
      await recover({ dataPath: broken, source: broken, replace: false, check: false, at });
      await backUp(sourceOf(broken), target, at);
      ends.recovered += 1;
    }
    recordFigure('R5', `damaged backups and data paths, seed ${seed}: ${JSON.stringify(ends)}`);
  },
);

/** The contents of a backup, except the bytes of the databases, which depend on their pages. */
function contentOf(backup: string) {
  const others = filesIn(backup).filter((path) => !path.endsWith('.sqlite') && path !== 'backup.json');
  return {
    events: eventsOf(join(backup, 'signalbox.sqlite')),
    files: others.map((path) => [path, readFileSync(join(backup, path), 'latin1')]),
  };
}

test('a recovered data path starts, and serves everything that was not lost', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-recovered-'));
  try {
    const dataPath = join(home, '.signalbox');
    cpSync(sound, dataPath, { recursive: true });
    const events = eventsOf(join(dataPath, 'signalbox.sqlite'));
    const victim = events.find(({ stream, type }) => stream === 'claim:shop/n5' && type === 'node_claimed');
    const file = join(dataPath, 'signalbox.sqlite');
    const bytes = readFileSync(file);
    const place = bytes.indexOf(victim?.id ?? '-');
    bytes[place + 40] = (bytes[place + 40] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    rmSync(join(dataPath, 'snapshot'), { force: true });
    await expect(start({ home })).rejects.toThrow(/^The store is damaged: event \d+ .*signalbox recover/);
    const recovery = await recover({ dataPath, source: dataPath, replace: false, check: false, at });
    expect(recovery).toMatchObject({
      kept: events.length - 1,
      lost: [{ sequence: victim?.sequence, stream: 'claim:shop/n5' }],
      plans: ['shop'],
      claims: ['shop/n5'],
    });
    expect(readdirSync(dataPath).filter((name) => /^(replaced|recovered)-/.test(name))).toHaveLength(2);
    await using service = await start({ home });
    expect((await service.call('GET', '/api/plans/shop')).body.nodes).toHaveLength(12);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
