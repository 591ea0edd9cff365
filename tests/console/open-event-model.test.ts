import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEventModel } from '../../packages/event-model/src/io/open-event-model.ts';
import { sourceFiles } from '../../packages/event-model/src/io/source-files.ts';
import { openVerdictJournal } from '../../packages/event-model/src/io/verdict-journal.ts';
import { host } from '../../packages/event-model/testing/wallets.ts';
import { createAnnouncements } from '../../packages/service/src/kernel/announcements.ts';

let dataPath: string;
let said: string[];
beforeEach(async () => {
  dataPath = await mkdtemp(join(tmpdir(), 'event-model-'));
  said = [];
});
afterEach(() => rm(dataPath, { recursive: true }));

const clock = { wall: () => Date.parse('2026-01-02T00:00:00.000Z'), monotonic: () => 0, every: () => () => undefined };
const open = () =>
  openEventModel({ dataPath, clock, announcements: createAnnouncements(), say: (line) => said.push(line) });
const journal = () => join(dataPath, 'verdicts.ndjson');
const finished = (uid: string, outcome: string, minute: number, rest: object = {}) => ({
  type: 'scenario_finished',
  uid,
  outcome,
  at: `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`,
  ...rest,
});

describe('the newest verdicts', () => {
  test('survive their runs and a killed process', async () => {
    const first = await open();
    first.observe('r1', [{ type: 'run_started' }, finished('F/s', 'CleanPass', 1), finished('F/t', 'Failed', 1)]);
    first.observe('r2', [finished('F/s', 'Failed', 2), finished('F/t', 'Failed', 0)]);
    const again = await open();
    expect([...again.verdicts.all()].map(({ identity, outcome, runId }) => [identity, outcome, runId])).toEqual([
      ['F/t', 'Failed', 'r1'],
      ['F/s', 'Failed', 'r2'],
    ]);
    await first.stop();
    await again.stop();
    expect(said).toEqual([]);
  });

  test('a batch sent again writes nothing', async () => {
    const model = await open();
    const batch = [
      finished('F/s', 'CleanPass', 1, { touchedTypes: [{ name: 'A', fullName: 'S.A', assemblyName: 'S' }] }),
    ];
    model.observe('r1', batch);
    const { size } = await stat(journal());
    model.observe('r1', batch);
    expect((await stat(journal())).size).toBe(size);
    await model.stop();
  });

  test('other events, and incomplete ones, are skipped', async () => {
    const model = await open();
    model.observe('r1', [
      finished('F/s', 'Skipped', 1),
      { type: 'scenario_finished', uid: 'F/t' },
      { type: 'step_finished', uid: 'F/u' },
    ]);
    expect([...model.verdicts.all()]).toEqual([]);
    model.observe('r1', [
      finished('F/s', 'CleanPass', 1, { at: null, touchedTypes: [null, {}, { name: 'A' }, { fullName: 'S.B' }] }),
    ]);
    expect(model.verdicts.newest('F/s')).toEqual({
      identity: 'F/s',
      outcome: 'CleanPass',
      at: '2026-01-02T00:00:00.000Z',
      runId: 'r1',
      touchedTypes: [
        { name: 'A', fullName: 'A', assemblyName: '' },
        { name: 'B', fullName: 'S.B', assemblyName: '' },
      ],
    });
    await model.stop();
  });

  test('a line that a crash cut off is skipped and logged, and the next one is kept', async () => {
    const first = await open();
    first.observe('r1', [finished('F/s', 'CleanPass', 1)]);
    await first.stop();
    await appendFile(journal(), '{"identity":"F/t","outc');
    const second = await open();
    second.observe('r2', [finished('F/u', 'Failed', 2)]);
    await second.stop();
    const third = await open();
    expect([...third.verdicts.all()].map(({ identity }) => identity)).toEqual(['F/s', 'F/u']);
    expect(said).toEqual(Array(2).fill('1 stored verdict was unreadable and skipped.'));
    await third.stop();
  });

  test('a file of mostly outdated lines is compacted at start', async () => {
    const line = (minute: number) =>
      JSON.stringify({
        identity: 'F/s',
        outcome: 'CleanPass',
        at: `2026-01-01T10:00:00.${String(minute).padStart(3, '0')}Z`,
        runId: 'r',
        touchedTypes: null,
      });
    const lines = Array.from({ length: 1500 }, (_, index) => line(index % 1000));
    await writeFile(journal(), `${lines.join('\n')}\n`);
    const model = await open();
    await model.stop();
    expect(await readFile(journal(), 'utf8')).toBe(`${line(999)}\n`);
  });

  test('the file is compacted while runs go on, and nothing that arrives meanwhile is lost', async () => {
    const verdicts = await openVerdictJournal(journal(), (line) => said.push(line));
    const fact = (uid: string, minute: number) => ({
      ...finished(uid, 'CleanPass', 0),
      runId: `r${minute}`,
      arrivedAt: '',
    });
    for (let minute = 1_000; minute < 4_000; minute += 1) verdicts.observe([fact('F/s', minute)]);
    const before = (await stat(journal())).size;
    let over = false;
    const cleared = verdicts.flush().finally(() => {
      over = true;
    });
    let came = 0;
    while (!over) {
      if (came < 500) verdicts.observe([fact(`F/${++came}`, 5_000)]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await cleared;
    expect((await stat(journal())).size).toBeLessThan(before);
    verdicts.observe([fact('F/last', 5_000)]);
    await verdicts.close();
    const again = await openVerdictJournal(journal(), (line) => said.push(line));
    expect([...again.all()]).toHaveLength(came + 2);
    expect(again.newest('F/s')?.runId).toBe('r3999');
    expect(await readdir(dataPath)).toEqual(['verdicts.ndjson']);
    expect(said).toEqual([]);
    await again.close();
  });

  test('beyond the memory limit those that changed last are kept, which is logged once', async () => {
    const verdicts = await openVerdictJournal(journal(), (line) => said.push(line), 10_000);
    const fact = (uid: string) => ({ ...finished(uid, 'CleanPass', 1), runId: 'r', arrivedAt: '' });
    const names = Array.from({ length: 100 }, (_, at) => `F/${at}`);
    verdicts.observe(names.map(fact));
    await verdicts.flush();
    await verdicts.flush();
    const kept = [...verdicts.all()].map(({ identity }) => identity);
    expect(kept.length).toBeLessThan(40);
    expect(kept).toEqual(names.slice(-kept.length));
    expect(said).toEqual([expect.stringContaining('the oldest were dropped')]);
    await verdicts.close();
  });
});

test('a data path opens with all its sources, and logs those that it leaves out', async () => {
  const pushedAt = '2026-01-01T10:00:00.000Z';
  const store = sourceFiles(join(dataPath, 'event-models'), () => undefined);
  await store.write({ source: 'host', pushedAt, descriptor: host });
  await store.write({ source: 'late', pushedAt: '2026-02-01T00:00:00.000Z', descriptor: { ...host, name: 'Orders' } });
  const model = await open();
  expect(await model.queries.model()).toMatchObject({ name: 'Wallets' });
  expect(said).toEqual([expect.stringContaining('source late is left out: it names the model Orders')]);
  await model.stop();
});
