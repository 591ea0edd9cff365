import { statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import { RunRegistry, runRowOf } from '../../packages/service/src/console/runs/run-registry.ts';
import type { RunStore } from '../../packages/service/src/console/runs/run-store.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { randomOf, seedOfRun } from '../random.ts';
import { rounds } from '../rounds.ts';

const line = (uid: string) => `{"type":"scenario_finished","uid":"${uid}","note":"ünïcode — 😀"}\n`;
const at = (folder: string, runId: string) => join(folder, 'runs', `${runId}.ndjson`);
const textOf = (folder: string, runId: string) => readFile(at(folder, runId), 'utf8').catch(() => '');
const origin = { publisher: 'ci', trust: 'named' } as const;
const stampAt = (minute: number) => ({ receivedAt: `2026-01-01T09:0${minute}:00.000Z`, ...origin });

async function opened(dataPath: string): Promise<RunStore & { warned: string[] }> {
  const warned: string[] = [];
  const clock = createSettableClock();
  const store = await openRunStore({ dataPath, clock, warn: (_, text) => void warned.push(text) });
  return Object.assign(store, { warned });
}

async function inFolder(work: (folder: string, image: () => Promise<string>) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-store-'));
  let copies = 0;
  /** The content of the disk if everything stopped now. */
  const image = async () => {
    copies += 1;
    await cp(join(folder, 'data'), join(folder, `image-${copies}`), { recursive: true, preserveTimestamps: true });
    return join(folder, `image-${copies}`);
  };
  try {
    await mkdir(join(folder, 'data'));
    await work(join(folder, 'data'), image);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Appends in this order, each flushed separately; an append is answered when all of it is flushed. */
const appends = [
  ['a', line('1')],
  ['b', line('2')],
  ['a', line('3') + line('4')],
  ['c', line('5')],
  ['a', line('6')],
  ['b', line('7')],
] as const;
const runIds = ['a', 'b', 'c'];
const archived = (runId: string) => appends.flatMap(([run, text]) => (run === runId ? [text] : [])).join('');

async function filled(folder: string) {
  const store = await opened(folder);
  for (const [index, [runId, text]] of appends.entries())
    await store.append(runId, [Buffer.from(text)], stampAt(index));
  return store;
}

const batchesIn = (folder: string): number => {
  const database = new DatabaseSync(join(folder, 'runs.sqlite'), { readOnly: true });
  const { count } = { ...database.prepare('SELECT count(*) AS count FROM batches').get() };
  database.close();
  return Number(count);
};

test('whatever archives lose in a power cut, the store writes it again byte for byte', () =>
  inFolder(async (folder, image) => {
    const store = await filled(folder);
    for (const kept of [0, 1, line('1').length, line('1').length + 5, 10_000]) {
      const disk = await image();
      for (const runId of runIds) {
        const bytes = await readFile(at(disk, runId));
        // The file is cut off, filled with zeros to its old length, or missing.
        if (kept === 0) await rm(at(disk, runId));
        else if (kept % 2 === 0) await truncate(at(disk, runId), Math.min(kept, bytes.length));
        else
          await writeFile(
            at(disk, runId),
            Buffer.concat([bytes.subarray(0, kept), Buffer.alloc(bytes.length)]).subarray(0, bytes.length),
          );
      }
      await (await opened(disk)).close();
      for (const runId of runIds) expect([kept, await textOf(disk, runId)]).toEqual([kept, archived(runId)]);
      expect(batchesIn(disk)).toBe(0);
    }
    await store.close();
    expect(batchesIn(folder)).toBe(0);
  }));

test('a log of commits cut at any byte gives complete batches, in their order, with their stamps', () =>
  inFolder(async (folder, image) => {
    const store = await filled(folder);
    const disk = await image();
    const wal = await readFile(join(disk, 'runs.sqlite-wal'));
    const whole = await readFile(join(disk, 'runs.sqlite'));
    let fewest: number = appends.length;
    for (let cut = 0; cut <= wal.length; cut += 1024) {
      for (const runId of runIds) await rm(at(disk, runId), { force: true });
      await writeFile(join(disk, 'runs.sqlite'), whole);
      await writeFile(join(disk, 'runs.sqlite-wal'), wal.subarray(0, cut));
      await rm(join(disk, 'runs.sqlite-shm'), { force: true });
      const again = await opened(disk);
      const stored = await again.stored();
      const lines = (await Promise.all(runIds.map((runId) => textOf(disk, runId)))).join('').split('\n').length - 1;
      for (const runId of runIds) expect(archived(runId).startsWith(await textOf(disk, runId))).toBe(true);
      for (const { runId, stamp } of stored) expect([runId, stamp]).toEqual([runId, expect.objectContaining(origin)]);
      expect(stored).toHaveLength(
        (await Promise.all(runIds.map((runId) => textOf(disk, runId)))).filter(Boolean).length,
      );
      fewest = Math.min(fewest, lines);
      await again.close();
    }
    expect(fewest).toBe(0);
    await store.close();
  }));

test('a crash after a checkpoint, or during a start, changes nothing', () =>
  inFolder(async (folder, image) => {
    const store = await filled(folder);
    const before = await image();
    await store.checkpoint();
    const after = await image();
    expect([batchesIn(before), batchesIn(after)]).toEqual([appends.length, 0]);
    for (const disk of [before, after, before]) {
      await (await opened(disk)).close();
      expect([await textOf(disk, 'a'), batchesIn(disk)]).toEqual([archived('a'), 0]);
    }
    await store.close();
  }));

test('an ejected run does not come back, its id can begin again, and who ejected it is known', () =>
  inFolder(async (folder, image) => {
    const store = await filled(folder);
    await store.eject('a', 1000, 'ada');
    await store.eject('b', 1000, null);
    const ejected = await image();
    await store.append('a', [Buffer.from(line('8'))], stampAt(9));
    const again = await image();
    await rm(at(again, 'a'));
    for (const disk of [ejected, again]) {
      const opening = await opened(disk);
      expect(await textOf(join(disk), 'ejected/a')).toBe(archived('a'));
      expect(await textOf(disk, 'a')).toBe(disk === again ? line('8') : '');
      expect(await textOf(disk, 'c')).toBe(archived('c'));
      expect([await opening.ejectedBy('a'), await opening.ejectedBy('b'), await opening.ejectedBy('c')]).toEqual([
        'ada',
        null,
        null,
      ]);
      expect((await opening.stored()).map(({ runId }) => runId).sort()).toEqual(disk === again ? ['a', 'c'] : ['c']);
      await opening.close();
    }
    await store.close();
  }));

test('a batch that cannot be written to its archive is refused and leaves nothing; the next append succeeds', () =>
  inFolder(async (folder) => {
    const store = await opened(folder);
    await store.append('a', [Buffer.from(line('1'))], stampAt(1));
    await mkdir(at(folder, 'b'));
    await expect(store.append('b', [Buffer.from(line('2'))], stampAt(2))).rejects.toThrow();
    await store.append('a', [Buffer.from(line('3'))]);
    await rm(at(folder, 'b'), { recursive: true });
    await store.append('b', [Buffer.from(line('4'))], stampAt(4));
    await store.close();
    expect([await textOf(folder, 'a'), await textOf(folder, 'b')]).toEqual([line('1') + line('3'), line('4')]);
    const again = await opened(folder);
    const stamps = new Map((await again.stored()).map(({ runId, stamp }) => [runId, stamp.receivedAt]));
    expect(stamps).toEqual(
      new Map([
        ['a', stampAt(1).receivedAt],
        ['b', stampAt(4).receivedAt],
      ]),
    );
    await again.close();
  }));

test('batches whose archives are flushed are deleted a thousand at a time, so that other work goes on in between', () =>
  inFolder(async (folder) => {
    const store = await opened(folder);
    const runId = 'a';
    await Promise.all(Array.from({ length: 2_500 }, (_, at) => store.append(runId, [Buffer.from(line(String(at)))])));
    const left: number[] = [];
    let next = setImmediate(function look() {
      left.push(batchesIn(folder));
      next = setImmediate(look);
    });
    await store.checkpoint();
    clearImmediate(next);
    expect(left).toEqual(expect.arrayContaining([1_500, 500]));
    expect((await textOf(folder, runId)).split('\n')).toHaveLength(2_501);
    await store.close();
  }));

test('a run can be ejected after its batches could not be deleted once', () =>
  inFolder(async (folder) => {
    const store = await opened(folder);
    await store.append('a', [Buffer.from(line('1'))], stampAt(1));
    const database = new DatabaseSync(join(folder, 'runs.sqlite'));
    database.exec("CREATE TRIGGER refuse BEFORE DELETE ON batches BEGIN SELECT RAISE(ABORT, 'not now'); END");
    await expect(store.checkpoint()).rejects.toThrow('not now');
    database.exec('DROP TRIGGER refuse');
    database.close();
    await store.eject('a', 0, null);
    expect(await textOf(folder, 'a')).toBe('');
    expect(batchesIn(folder)).toBe(0);
    await store.close();
  }));

test('exports leave out the stamps that earlier releases wrote between the events, byte for byte', () =>
  inFolder(async (folder) => {
    const note = (more: object) => `${JSON.stringify({ type: 'console_stamp', runId: 'r1', ...more })}\n`;
    const sent = Array.from({ length: 3000 }, (_, index) => line(`${index}`));
    const mixed = sent.map((text, index) => (index % 100 === 0 ? note({ lateCount: index }) + text : text)).join('');
    await mkdir(join(folder, 'runs'));
    await writeFile(
      at(folder, 'r1'),
      `${note({ receivedAt: '2026-01-01T09:00:00.000Z' })}${mixed}${note({ endedAt: 'x' })}{"cut`,
    );
    const store = await opened(folder);
    const read: Uint8Array[] = [];
    for await (const some of (await store.read('r1')) ?? []) read.push(some);
    expect(Buffer.concat(read).toString()).toBe(`${sent.join('')}{"cut`);
    await store.close();
  }));

test('rows are asked for while nothing is appended, so that none describes an archive that grew after it', () =>
  inFolder(async (folder) => {
    const store = await opened(folder);
    await store.append('a', [Buffer.from(line('1'))], stampAt(1));
    const row = runRowOf(new RunRegistry(createSettableClock()).boardRunFor('a'));
    for (let turn = 0; turn < 5; turn += 1) {
      const appended = store.append('a', [Buffer.from(line('2'))]);
      for (let wait = 0; wait < turn; wait += 1) await new Promise(setImmediate);
      let bytes = 0;
      await store.save(() => {
        bytes = statSync(at(folder, 'a')).size;
        return new Map([['a', row]]);
      });
      const database = new DatabaseSync(join(folder, 'runs.sqlite'), { readOnly: true });
      const described = database.prepare("SELECT row ->> '$.bytes' AS bytes FROM runs WHERE run = 'a'").get();
      database.close();
      expect({ ...described }).toEqual({ bytes });
      await appended;
    }
    await store.close();
  }));

const flips = rounds(150, 5_000);
/** Every bit of the two bytes that name the SQLite versions that may write and read the file. */
const formatBits = [18, 19].flatMap((place) => Array.from({ length: 8 }, (_, bit) => [place, bit] as const));

test(`one flipped bit in the database, ${flips} times, is found or harmless: every run is there with its lines`, () =>
  inFolder(async (folder) => {
    const seed = seedOfRun();
    const random = randomOf(seed);
    const suite = { repository: '/src/shop', suite: 'unit', repositoryName: null };
    const filling = await filled(folder);
    for (let run = 0; run < 20; run += 1) {
      const verdicts = { runId: `v${run}`, at: `2026-01-01T09:00:${10 + run}.000Z`, branch: null, commit: null };
      const tests = Int32Array.from({ length: 300 }, (_, place) =>
        place % 3 === 0 ? place / 3 : place % 3 === 1 ? 0 : run,
      );
      const names =
        run === 0 ? new Map(Array.from({ length: 100 }, (_, test) => [test, `Feature/test ${test}`])) : new Map();
      filling.history.record(suite, { ...verdicts, tests, reasons: new Map() }, names);
    }
    const verdicts = Array.from({ length: 100 }, (_, test) => ({
      ...{ identity: `Feature/test ${test}`, outcome: 'CleanPass' as const, at: '2026-01-01T09:00:00.000Z' },
      ...{ runId: `v${test}`, receivedAt: '2026-01-01T09:00:00.000Z', touchedTypes: null },
    }));
    for (const verdict of verdicts) filling.verdicts.put(verdict);
    await filling.close();
    const { size } = await stat(join(folder, 'runs.sqlite'));
    const whole = await readFile(join(folder, 'runs.sqlite'));
    let rebuilt = 0;
    for (let flip = 0; flip < formatBits.length + flips; flip += 1) {
      const [place, bit] = formatBits[flip] ?? [random.below(size), random.below(8)];
      const file = await open(join(folder, 'runs.sqlite'), 'r+');
      await file.write(Buffer.from([(whole[place] as number) ^ (1 << bit)]), 0, 1, place);
      await file.close();
      const note = `bit of byte ${place}, seed ${seed}`;
      const store = await opened(folder);
      const stored = await store.stored();
      expect(stored.map(({ runId }) => runId).sort(), note).toEqual(runIds);
      const isRebuilt = store.warned.some((text) => text.includes('damaged'));
      rebuilt += isRebuilt ? 1 : 0;
      for (const { runId, stamp } of stored) {
        expect(await textOf(folder, runId), note).toBe(archived(runId));
        // The trust never increases.
        expect(['named', 'open'], note).toContain(stamp.trust);
        if (stamp.trust === 'named') expect(stamp.publisher, note).toBe('ci');
      }
      const names = store.history.suites().length > 0 ? store.history.names(suite) : new Map();
      for (const [test, name] of names) expect(name, note).toBe(`Feature/test ${test}`);
      for (const runs of store.history.runs(suite))
        for (const { runId, tests } of runs) expect(`v${tests[2]}`, note).toBe(runId);
      for (const verdict of store.verdicts.load()) expect(verdicts, note).toContainEqual(verdict);
      await store.close();
      for (const name of await readdir(folder)) if (name.startsWith('runs.sqlite')) await rm(join(folder, name));
      await writeFile(join(folder, 'runs.sqlite'), whole);
    }
    expect(rebuilt).toBeGreaterThan(0);
  }));
