import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ArchiveWriter } from '../../packages/service/src/console/runs/io/archive-files.ts';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import { replayArchive } from '../../packages/service/src/console/runs/replay.ts';
import type { RunStore } from '../../packages/service/src/console/runs/run-store.ts';
import { createTimeBudget } from '../../packages/service/src/event-loop/cooperative.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

const line = (uid: string) =>
  `{"type":"scenario_finished","runId":"r1","uid":"${uid}","outcome":"CleanPass","note":"ünïcode — 😀"}\n`;

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-archive-'));
  try {
    await mkdir(join(folder, 'runs'));
    await work(join(folder, 'runs'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const openArchive = (folder: string) =>
  openRunStore({ dataPath: dirname(folder), clock: createSettableClock(), warn: () => undefined });

async function uids(archive: RunStore): Promise<{ found: string[]; skipped: number }> {
  const lines = await archive.lines('r1');
  if (!lines) throw new Error('there is no archive');
  const { run, skipped } = await replayArchive('r1', lines, createTimeBudget());
  return { found: [...run.scenarios.keys()], skipped };
}

test('a write that is not complete yet is left to the next reader', () =>
  inFolder(async (folder) => {
    const archive = await openArchive(folder);
    await archive.append('r1', [Buffer.from(line('a'))]);
    // The file looks like this while the system is writing a large batch.
    await appendFile(join(folder, 'r1.ndjson'), line('b').slice(0, 20));
    const bytes: Uint8Array[] = [];
    for await (const some of (await archive.read('r1')) ?? []) bytes.push(some);
    expect(Buffer.concat(bytes).toString()).toBe(line('a'));
    expect(await uids(archive)).toEqual({ found: ['a'], skipped: 0 });
    await archive.close();
  }));

test('an archive cut at any byte of its last line loses only that line, and accepts new ones', () =>
  inFolder(async (folder) => {
    const whole = Buffer.from(line('a') + line('b') + line('c'));
    const last = Buffer.byteLength(line('c'));
    const path = join(folder, 'r1.ndjson');
    for (let cut = 1; cut <= last; cut += 1) {
      await writeFile(path, whole.subarray(0, whole.length - cut));
      const archive = await openArchive(folder);
      // Without its final line break a line is still complete; if nothing of it is left, nothing is torn.
      const kept = cut === 1 ? ['a', 'b', 'c'] : ['a', 'b'];
      expect([cut, await uids(archive)]).toEqual([cut, { found: kept, skipped: cut > 1 && cut < last ? 1 : 0 }]);
      await archive.append('r1', [Buffer.from(line('d'))]);
      expect([cut, (await uids(archive)).found]).toEqual([cut, [...kept, 'd']]);
      await archive.close();
    }
  }));

test('a corrupt line in the middle, or a line of another run, is skipped and counted', () =>
  inFolder(async (folder) => {
    const foreign = line('x').replace('"r1"', '"r2"');
    await writeFile(join(folder, 'r1.ndjson'), `${line('a')}\u0000garbage\n${foreign}\n{"type":5}\n${line('b')}`);
    expect(await uids(await openArchive(folder))).toEqual({ found: ['a', 'b'], skipped: 3 });
  }));

test('more runs than files may be open at once are all written', () =>
  inFolder(async (folder) => {
    const archive = await openArchive(folder);
    const names = Array.from({ length: 200 }, (_, index) => `run-${index}`);
    for (const round of ['1', '2']) {
      await Promise.all(names.map((name) => archive.append(name, [Buffer.from(`{"${name}":${round}}\n`)])));
    }
    await archive.close();
    expect((await readdir(folder)).filter((name) => name.endsWith('.ndjson'))).toHaveLength(200);
    for (const name of names) {
      expect(await readFile(join(folder, `${name}.ndjson`), 'utf8')).toBe(`{"${name}":1}\n{"${name}":2}\n`);
    }
  }));

test('a write that fails midway leaves nothing behind', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'r1.ndjson');
    const writer = await ArchiveWriter.open(path);
    await writer.write(writer.plan([Buffer.from(line('a'))]));
    // The second piece is not bytes, so the write fails after the first piece was accepted.
    const pieces = [Buffer.from(line('b')), 7 as never];
    await expect(writer.write({ offset: writer.size, bytes: 1, pieces })).rejects.toThrow();
    expect(await readFile(path, 'utf8')).toBe(line('a'));
    await writer.write(writer.plan([Buffer.from(line('c'))]));
    expect(await readFile(path, 'utf8')).toBe(line('a') + line('c'));
    await writer.close();
  }));
