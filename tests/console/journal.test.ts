import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../packages/service/src/console/runs/io/archive.ts';
import { recordOf, recordsIn } from '../../packages/service/src/console/runs/io/journal-record.ts';
import { recoverArchives } from '../../packages/service/src/console/runs/io/recover-archives.ts';

const line = (uid: string) => `{"type":"scenario_finished","uid":"${uid}","note":"ünïcode — 😀"}\n`;
const at = (folder: string, runId: string) => join(folder, `${runId}.ndjson`);
const parts = async (folder: string) => (await readdir(join(folder, '.journal'))).sort();
const textOf = (folder: string, runId: string) => readFile(at(folder, runId), 'utf8').catch(() => '');

async function inFolder(work: (folder: string, fresh: () => Promise<string>) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-journal-'));
  let copies = 0;
  /** The disk as it would be if everything stopped now. */
  const image = async () => {
    copies += 1;
    await cp(join(folder, 'runs'), join(folder, `image-${copies}`), { recursive: true, preserveTimestamps: true });
    return join(folder, `image-${copies}`);
  };
  try {
    await work(join(folder, 'runs'), image);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Appends in this order, each flushed by itself; what is answered is the whole of it. */
const appends = [
  ['a', line('1')],
  ['b', line('2')],
  ['a', line('3') + line('4')],
  ['c', line('5')],
  ['a', line('6')],
  ['b', line('7')],
] as const;
const runIds = ['a', 'b', 'c'];
const archived = (count: number, runId: string) =>
  appends.flatMap(([run, text], index) => (run === runId && index < count ? [text] : [])).join('');

async function filled(folder: string) {
  const archive = await openArchive(folder);
  for (const [runId, text] of appends) await archive.append(runId, [Buffer.from(text)]);
  return archive;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const reopened = async (folder: string) => (await openArchive(folder)).close();

test('a journal cut at any byte gives the records before the cut, and one changed byte is no record', () => {
  const records = ['x', 'yy', 'zzz'].map((text, index) => {
    const pieces = [Buffer.from(text), Buffer.from('\n')];
    return Buffer.concat(recordOf(7, { runId: `run-${index}`, offset: index * 10, bytes: text.length + 1, pieces }));
  });
  const whole = Buffer.concat(records);
  const lengths = records.map(({ length }) => length);
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const complete = lengths.filter((_, index) => sum(lengths.slice(0, index + 1)) <= cut).length;
    expect([cut, [...recordsIn(7, whole.subarray(0, cut))].length]).toEqual([cut, complete]);
  }
  for (let place = 0; place < whole.length; place += 1) {
    const changed = Buffer.from(whole);
    changed[place] = (changed[place] as number) ^ 0x20;
    const before = place < (lengths[0] as number) ? 0 : place < whole.length - (lengths[2] as number) ? 1 : 2;
    expect([place, [...recordsIn(7, changed)].length]).toEqual([place, before]);
  }
});

test('whatever a power cut takes of the archives, the journal puts back byte for byte', () =>
  inFolder(async (folder, image) => {
    const archive = await filled(folder);
    const lost = [0, 1, line('1').length, line('1').length + 5, 10_000];
    for (const kept of lost) {
      const disk = await image();
      for (const runId of runIds) {
        const bytes = await readFile(at(disk, runId));
        // Cut off, filled with zeros as long as it was, or not there at all.
        if (kept === 0) await rm(at(disk, runId));
        else if (kept % 2 === 0) await truncate(at(disk, runId), Math.min(kept, bytes.length));
        else
          await writeFile(
            at(disk, runId),
            Buffer.concat([bytes.subarray(0, kept), Buffer.alloc(bytes.length)]).subarray(0, bytes.length),
          );
      }
      await reopened(disk);
      for (const runId of runIds) expect([kept, await textOf(disk, runId)]).toEqual([kept, archived(9, runId)]);
      expect(await parts(disk)).toEqual([]);
    }
    await archive.close();
    expect(await parts(folder)).toEqual([]);
  }));

test('a journal cut at any byte puts back whole appends, in their order', () =>
  inFolder(async (folder, image) => {
    const archive = await filled(folder);
    const disk = await image();
    const [part = ''] = await parts(disk);
    const journal = await readFile(join(disk, '.journal', part));
    const ends = [...recordsIn(1, journal)].map(({ bytes }) => bytes.byteOffset + bytes.length - journal.byteOffset);
    // Every byte is tried above; on disk, those around the ends of records.
    for (const cut of [0, 1, 20, ...ends.flatMap((end) => [end - 1, end, end + 1])]) {
      for (const runId of runIds) await rm(at(disk, runId), { force: true });
      await writeFile(join(disk, '.journal', part), journal.subarray(0, cut));
      await recoverArchives(disk, join(disk, '.journal'));
      const count = ends.filter((end) => end <= cut).length;
      const found = await Promise.all(runIds.map((runId) => textOf(disk, runId)));
      expect([cut, found]).toEqual([cut, runIds.map((runId) => archived(count, runId))]);
    }
    await archive.close();
  }));

test('a crash between any two steps of a checkpoint or of a start changes nothing', () =>
  inFolder(async (folder, image) => {
    const archive = await filled(folder);
    const before = await image();
    await archive.checkpoint();
    const after = await image();
    expect([await parts(before), await parts(after)]).toEqual([['1.journal'], ['spare']]);
    await archive.append('a', [Buffer.from(line('8'))]);
    // The archives are flushed and the next part is begun, the part before is not gone yet.
    const between = await image();
    await cp(join(before, '.journal', '1.journal'), join(between, '.journal', '1.journal'));
    expect(await parts(between)).toEqual(['1.journal', '2.journal']);
    for (const disk of [before, after, between]) {
      const text = disk === between ? archived(9, 'a') + line('8') : archived(9, 'a');
      const journal = await readFile(join(disk, '.journal', '1.journal')).catch(() => null);
      await reopened(disk);
      expect([await textOf(disk, 'a'), await parts(disk)]).toEqual([text, []]);
      // A start that died before it let the journal go does the same again.
      if (journal) await writeFile(join(disk, '.journal', '1.journal'), journal);
      await reopened(disk);
      expect([await textOf(disk, 'a'), await parts(disk)]).toEqual([text, []]);
    }
    await archive.close();
  }));

test('a part is written over one that went, and what is left of that one is never put back', () =>
  inFolder(async (folder, image) => {
    const archive = await filled(folder);
    const first = join(await image(), '.journal', '1.journal');
    const { size } = await stat(first);
    for (const runId of runIds) expect(await archive.eject(runId, 1000)).toBe(true);
    expect(await parts(folder)).toEqual(['spare']);
    // As long as the first record of the part before, so that the next one stands where that one's did.
    await archive.append('d', [Buffer.from(line('8'))]);
    expect(await parts(folder)).toEqual(['2.journal']);
    expect((await stat(join(folder, '.journal', '2.journal'))).size).toBe(size);
    const over = await image();
    await archive.close();

    // A process that was killed leaves its spare one, and the next begins with the same numbers.
    const left = await image();
    await cp(first, join(left, '.journal', 'spare'));
    const next = await openArchive(left);
    await next.append('e', [Buffer.from(line('9'))]);
    await cp(left, `${left}-killed`, { recursive: true });
    await next.close();
    for (const disk of [over, `${left}-killed`]) {
      await reopened(disk);
      for (const runId of runIds) expect([disk, runId, await textOf(disk, runId)]).toEqual([disk, runId, '']);
      expect(await textOf(disk, 'd')).toBe(line('8'));
    }
  }));

test('an ejected run is not brought back by the journal, and its id begins anew', () =>
  inFolder(async (folder, image) => {
    const archive = await filled(folder);
    expect(await archive.eject('a', 1000)).toBe(true);
    const ejected = await image();
    await archive.append('a', [Buffer.from(line('8'))]);
    const again = await image();
    await rm(at(again, 'a'));
    for (const disk of [ejected, again]) {
      await reopened(disk);
      expect(await textOf(join(disk, 'ejected'), 'a')).toBe(archived(9, 'a'));
      expect(await textOf(disk, 'a')).toBe(disk === again ? line('8') : '');
      expect(await textOf(disk, 'b')).toBe(archived(9, 'b'));
    }
    await archive.close();
  }));

test('what cannot be journalled is refused and leaves no line; the next append is taken', () =>
  inFolder(async (folder) => {
    const archive = await openArchive(folder);
    await archive.append('a', [Buffer.from(line('1'))]);
    await archive.checkpoint();
    await rm(join(folder, '.journal'), { recursive: true });
    await expect(archive.append('a', [Buffer.from(line('2'))])).rejects.toThrow();
    expect(await textOf(folder, 'a')).toBe(line('1'));
    await mkdir(join(folder, '.journal'));
    await archive.append('a', [Buffer.from(line('3'))]);
    expect(await textOf(folder, 'a')).toBe(line('1') + line('3'));
    await archive.close();
  }));
