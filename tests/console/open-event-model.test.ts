import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEventModel } from '../../packages/event-model/src/io/open-event-model.ts';
import { sourceFiles } from '../../packages/event-model/src/io/source-files.ts';
import { host } from '../../packages/event-model/testing/wallets.ts';
import { openRunStore } from '../../packages/service/src/console/runs/io/open-runs.ts';
import { createAnnouncements } from '../../packages/service/src/kernel/announcements.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

let dataPath: string;
let said: string[];
beforeEach(async () => {
  dataPath = await mkdtemp(join(tmpdir(), 'event-model-'));
  said = [];
});
afterEach(() => rm(dataPath, { recursive: true }));

const clock = createSettableClock(Date.UTC(2026, 0, 2));
async function open(maxVerdictBytes?: number) {
  const store = await openRunStore({ dataPath, clock, warn: (_, text) => said.push(text) });
  const model = await openEventModel({
    ...{ dataPath, clock, announcements: createAnnouncements(), say: (line: string) => said.push(line) },
    store: store.verdicts,
    ...(maxVerdictBytes && { maxVerdictBytes }),
  });
  const identities = () => [...model.verdicts.all()].map(({ identity }) => identity);
  return { ...model, identities, save: () => store.save(() => new Map()), stop: () => store.close() };
}

const inDatabase = (sql: string) => {
  const database = new DatabaseSync(join(dataPath, 'runs.sqlite'));
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
};
const rows = () => inDatabase('SELECT id, identity FROM newest_verdicts ORDER BY id').map((row) => ({ ...row }));
const finished = (uid: string, outcome: string, minute: number, rest: object = {}) => ({
  type: 'scenario_finished',
  uid,
  outcome,
  at: `2026-01-01T10:${String(minute).padStart(2, '0')}:00.000Z`,
  ...rest,
});

describe('the newest verdicts', () => {
  test('survive their runs, in the order in which they changed', async () => {
    const first = await open();
    first.observe('r1', [{ type: 'run_started' }, finished('F/s', 'CleanPass', 1), finished('F/t', 'Failed', 1)]);
    await first.save();
    first.observe('r2', [finished('F/s', 'Failed', 2), finished('F/t', 'Failed', 0)]);
    const before = [...first.verdicts.all()];
    await first.stop();
    const again = await open();
    expect([...again.verdicts.all()]).toEqual(before);
    expect(before.map(({ identity, outcome, runId }) => [identity, outcome, runId])).toEqual([
      ['F/t', 'Failed', 'r1'],
      ['F/s', 'Failed', 'r2'],
    ]);
    await again.stop();
    expect(said).toEqual([]);
  });

  test('a batch sent again writes nothing', async () => {
    const model = await open();
    const batch = [
      finished('F/s', 'CleanPass', 1, { touchedTypes: [{ name: 'A', fullName: 'S.A', assemblyName: 'S' }] }),
      finished('F/t', 'CleanPass', 1),
    ];
    model.observe('r1', batch);
    await model.save();
    const before = rows();
    model.observe('r1', batch.slice(0, 1));
    await model.stop();
    expect(rows()).toEqual(before);
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

  test('a row that differs from what was written is skipped and logged, and the others are kept', async () => {
    const first = await open();
    first.observe('r1', [finished('F/s', 'CleanPass', 1), finished('F/t', 'Failed', 1), finished('F/u', 'Failed', 1)]);
    await first.stop();
    inDatabase("UPDATE newest_verdicts SET verdict = replace(verdict, 'Failed', 'CleanPass') WHERE identity = 'F/t'");
    const second = await open();
    expect(second.identities()).toEqual(['F/s', 'F/u']);
    expect(said).toEqual(['1 stored verdict was unreadable and skipped']);
    second.observe('r1', [finished('F/t', 'Failed', 1)]);
    await second.stop();
    const third = await open();
    expect(third.identities()).toEqual(['F/s', 'F/u', 'F/t']);
    expect(said).toHaveLength(1);
    await third.stop();
  });

  test('thousands that change while they are written are all stored, each with its last state', async () => {
    const model = await open();
    const names = Array.from({ length: 3000 }, (_, at) => `F/${at}`);
    model.observe(
      'r1',
      names.map((name) => finished(name, 'CleanPass', 1)),
    );
    const saved = model.save();
    for (let at = 0; at < 3000; at += 500) {
      await new Promise(setImmediate);
      model.observe('r2', [finished(`F/${at}`, 'Failed', 2)], '2026-01-03T00:00:00.000Z');
    }
    await saved;
    const before = [...model.verdicts.all()];
    await model.stop();
    const again = await open();
    expect([...again.verdicts.all()]).toEqual(before);
    expect(again.identities()).toHaveLength(3000);
    await again.stop();
  });

  test('beyond the memory limit those that changed last are kept, also in the store, which is logged once', async () => {
    const names = Array.from({ length: 1000 }, (_, at) => `F/${at}`);
    const everything = await open();
    everything.observe(
      'r',
      names.map((name) => finished(name, 'CleanPass', 1)),
    );
    await everything.stop();
    const model = await open(10_000);
    const kept = model.identities();
    expect(kept.length).toBeLessThan(40);
    expect(kept).toEqual(names.slice(-kept.length));
    expect(rows().map(({ identity }) => identity)).toEqual(kept);
    model.observe('r', [finished('F/last', 'CleanPass', 1)]);
    await model.stop();
    expect(rows().map(({ identity }) => identity)).toEqual(model.identities());
    expect(said).toEqual([expect.stringContaining('the oldest were dropped')]);
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
