import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BadConfig } from '../../packages/service/src/app/config.ts';
import { DamagedStore } from '../../packages/service/src/store/event-checksum.ts';
import { openSqliteLog } from '../../packages/service/src/store/sqlite/sqlite-log.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { openInMemoryWork } from '../coordination/in-memory-work.ts';
import { randomOf, seedOfRun } from '../random.ts';
import { recordFigure, rounds } from '../rounds.ts';
import { signalbox } from '../spawn.ts';
import { start } from '../start.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-damage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const sound = join(folder, 'sound.sqlite');
const clock = createSettableClock();

/** Everything that the store returns about plans and claims. */
async function readingOf(path: string): Promise<string> {
  const log = openSqliteLog({ path, clock });
  try {
    const { call } = await openInMemoryWork({ clock, log });
    const { nodes } = await call('plan_status', { plan: 'p' });
    return JSON.stringify([nodes, await call('list_plans', {})]);
  } finally {
    await log.close();
  }
}

beforeAll(fill);

const pageBytes = 4096;
const fileHeadBytes = 100;

/** The content of a store with one flipped bit; null if the store is reported as damaged. */
async function flippedReading(whole: Buffer, at: number, bit: number): Promise<string | null> {
  const path = join(folder, 'flipped.sqlite');
  const bytes = Buffer.from(whole);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  for (const more of ['-wal', '-shm']) rmSync(path + more, { force: true });
  writeFileSync(path, bytes);
  return await readingOf(path).catch(() => null);
}

async function fill(): Promise<void> {
  const log = openSqliteLog({ path: sound, clock });
  const { call } = await openInMemoryWork({ clock, log });
  const nodes = Array.from({ length: 20 }, (_, n) => ({ id: `n${n}`, title: `Node ${n}` }));
  await call('create_plan', { document: { plan: 'p', nodes } });
  for (let n = 0; n < 60; n += 1) {
    const at = { plan: 'p', node: `n${n % 20}`, agent: `agent-${n % 20}` };
    await call(n % 3 === 2 ? 'report_node' : 'claim_node', n % 3 === 2 ? { ...at, note: `note ${n}` } : at);
  }
  await log.close();
}

test('a flipped bit in any page header hides no event: it is reported or harmless', async () => {
  const whole = readFileSync(sound);
  const truth = await readingOf(sound);
  const ends = { told: 0, harmless: 0 };
  for (let page = 0; page < whole.length; page += pageBytes) {
    // The number of cells, where they begin, and the last child page.
    for (let at = page + 3; at < page + 12; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const reading = await flippedReading(whole, page === 0 ? at + fileHeadBytes : at, bit);
        if (reading === null) ends.told += 1;
        else {
          expect(reading, `bit ${bit} flipped in byte ${at}`).toBe(truth);
          ends.harmless += 1;
        }
      }
    }
  }
  expect(ends.told).toBeGreaterThan(0);
});

const flips = rounds(60, 10_000);

test(`a flipped bit in the store is told or harmless, and never a claim that nobody made, ${flips} times`, async () => {
  const whole = readFileSync(sound);
  const truth = await readingOf(sound);
  const seed = seedOfRun();
  const random = randomOf(seed);
  const ends = { told: 0, harmless: 0 };
  for (let flip = 0; flip < flips; flip += 1) {
    const at = random.below(whole.length);
    const reading = await flippedReading(whole, at, random.below(8));
    if (reading === null) ends.told += 1;
    else {
      expect(reading, `bit flipped in byte ${at}, seed ${seed}`).toBe(truth);
      ends.harmless += 1;
    }
  }
  expect(ends.told).toBeGreaterThan(0);
  recordFigure('R5', `${flips} flipped bits in the store, seed ${seed}: ${JSON.stringify(ends)}`);
});

test('a store with a changed event does not start; the message names the event and what to do', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-damage-'));
  try {
    await using first = signalbox(['start'], { PORT: '0,0' }, home);
    await first.says(/reference/);
    first.child.kill('SIGTERM');
    await first.ended;
    const file = join(home, '.signalbox', 'signalbox.sqlite');
    copyFileSync(sound, file);
    for (const more of ['-wal', '-shm']) rmSync(file + more, { force: true });
    const bytes = readFileSync(file);
    const changed = bytes.toString('latin1').replaceAll('"agent":"agent-7"', '"agent":"agent-8"');
    expect(changed).not.toBe(bytes.toString('latin1'));
    writeFileSync(file, changed, 'latin1');
    await using second = signalbox(['start'], { PORT: '0,0' }, home);
    expect(await second.ended).toBe(1);
    expect(second.err()).toMatch(
      /^The store is damaged: event \d+ differs from what was written\. .*Restore a backup.*\n$/,
    );
    expect(new DamagedStore('x').message).toContain('Nothing was changed');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test('damage found while the service runs causes a 503 that says what to do, and a log line', async () => {
  await using service = await start();
  await service.call('POST', '/api/plans', { plan: 'p', title: 'Prices' });
  const database = new DatabaseSync(join(service.dataPath, 'signalbox.sqlite'));
  database.exec(`UPDATE events SET data = replace(data, 'Prices', 'Prizes')`);
  database.close();
  const { status, body } = await service.call('GET', '/api/plans/p/history');
  expect([status, body.code]).toEqual([503, 'store_unavailable']);
  expect(body.detail).toMatch(/^The store is damaged: event 1 differs from what was written\. .*Restore a backup/);
  expect(service.logged()).toContain('the store is damaged: its contents differ from what was written');
  expect((await service.call('GET', '/api/plans/p')).status).toBe(200);
});

test('a store of a newer program, or one that cannot be opened, ends the start with what to do', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-damage-'));
  const file = join(home, '.signalbox', 'signalbox.sqlite');
  try {
    mkdirSync(file, { recursive: true });
    await expect(start({ home })).rejects.toThrow(
      /signalbox.sqlite is a folder, not a regular file. Move it away, or restore a backup.$/,
    );
    rmSync(file, { recursive: true });
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
    await expect(start({ home })).rejects.toThrow(BadConfig);
    await expect(start({ home })).rejects.toThrow(/^The database has version 99, .*Start the newer Signalbox/);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
