import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../packages/service/src/app/config.ts';
import { createProjections } from '../../packages/service/src/app/projections.ts';
import { snapshotsIn } from '../../packages/service/src/app/snapshot-file.ts';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { verifySnapshot } from '../../packages/service/src/app/verify-snapshot.ts';
import { plansOver } from '../../packages/service/src/coordination/work/open-work.ts';
import { workOver } from '../../packages/service/src/coordination/work/work-context.ts';
import type { EventLog, SavableProjection } from '../../packages/service/src/kernel/event-log.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import { decodeSnapshot, encodeSnapshot, type Snapshots } from '../../packages/service/src/store/snapshot.ts';
import { openSqliteLog } from '../../packages/service/src/store/sqlite/sqlite-log.ts';
import { renewEpoch } from '../../packages/service/src/store/sqlite/sqlite-raw.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { someWork } from '../coordination/some-work.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { withClient } from '../postgres/dump.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-snapshot-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const often = (): Snapshots => ({ ...snapshotsIn(folder), every: { running: 50, atEnd: 1 } });
const storeIn = (path: string) => join(path, 'signalbox.sqlite');
const sqlite = (snapshots?: Snapshots) =>
  openSqliteLog({ path: storeIn(folder), clock: createSettableClock(), ...(snapshots && { snapshots }) });

/** The folded state, and what reads return from it. */
async function stateOf(log: EventLog) {
  const projections = createProjections();
  let applied = 0;
  const counting: SavableProjection = {
    savedAs: 'counting',
    apply() {
      applied += 1;
    },
    reset: () => undefined,
    save: () => null,
    load: () => undefined,
  };
  await log.attach(...Object.values(projections), counting);
  const { workState, links, repositories, memory } = projections;
  const { views } = plansOver(workOver({ log, clock: systemClock, workState }));
  const read = {
    ready: workState.progress.readyOrder().map((vertex) => workState.plans.refOf(vertex)),
    plans: [...workState.plans.all()].map((plan) => [
      views.summary(plan),
      [...plan.nodes.values()].map(({ id }) => views.node(plan.slug, id)),
    ]),
    found: memory.find('note'),
    saved: [workState.save(), links.save(), repositories.save()],
  };
  return { read: structuredClone(read), applied };
}

test('a start from a snapshot reads only later events and gives the state of the whole log', async () => {
  const first = sqlite(often());
  await stateOf(first);
  await someWork(first, 7, 120);
  await first.close();
  const second = sqlite();
  await stateOf(second);
  await someWork(second, 8, 15);
  await second.close();

  const [resumed, whole] = [sqlite(often()), sqlite()];
  const [fromSnapshot, fromLog] = [await stateOf(resumed), await stateOf(whole)];
  expect(fromSnapshot.read).toEqual(fromLog.read);
  expect(fromSnapshot.applied).toBeLessThan(fromLog.applied / 2);
  await resumed.close();
  await whole.close();
  const { config } = readConfig({ env: { Service__DataPath: folder }, args: [], cwd: folder, home: folder });
  expect(await verifySnapshot(config)).toMatchObject({ inLog: true, differs: [], damaged: null });
  const database = new DatabaseSync(storeIn(folder));
  database.exec("UPDATE events SET by = 'eve' WHERE sequence = 7");
  expect(await verifySnapshot(config)).toMatchObject({ damaged: 'event 7 differs from what was written' });
  database.exec('DELETE FROM events WHERE sequence = 7');
  database.close();
  expect((await verifySnapshot(config))?.damaged).toContain('event 7 is missing');
});

test('on PostgreSQL, too', async () => {
  const url = await cloneDatabase();
  const open = (snapshots?: Snapshots) => openPostgresLog({ url, clock: systemClock, snapshots });
  const first = await open(often());
  await stateOf(first);
  await someWork(first, 9, 60);
  await first.close();
  const [resumed, whole] = [await open(often()), await open()];
  const [fromSnapshot, fromLog] = [await stateOf(resumed), await stateOf(whole)];
  expect(fromSnapshot.read).toEqual(fromLog.read);
  expect(fromSnapshot.applied).toBe(0);
  await resumed.close();
  await whole.close();
});

test('on PostgreSQL a host that threw its snapshot away still finds that the database was put back', async () => {
  const url = await cloneDatabase();
  const first = await openPostgresLog({ url, clock: systemClock, snapshots: often() });
  await stateOf(first);
  await someWork(first, 9, 60);
  await first.close();
  await withClient(url, (client) => client.query('UPDATE signalbox.head SET epoch = gen_random_uuid()'));
  const log = await openPostgresLog({ url, clock: systemClock, snapshots: often() });
  expect((await stateOf(log)).applied).toBeGreaterThan(10);
  await withClient(url, (client) =>
    client.query('DELETE FROM signalbox.events; UPDATE signalbox.head SET sequence = 0, epoch = gen_random_uuid()'),
  );
  await expect.poll(() => log.following()).toMatchObject({ sequence: 0, epochChanges: 1 });
  await log.close();
});

test('a snapshot of another program, of another format, cut off or damaged is none', async () => {
  const log = sqlite(often());
  await stateOf(log);
  await someWork(log, 1, 20);
  await log.close();
  const file = join(folder, 'snapshot');
  const bytes = readFileSync(file);
  expect(snapshotsIn(folder).read()?.sequence).toBeGreaterThan(10);
  const damaged = Buffer.from(bytes);
  damaged[bytes.length - 5] = (damaged[bytes.length - 5] ?? 0) ^ 1;
  for (const wrong of [bytes.subarray(0, -1), damaged, Buffer.alloc(0), Buffer.from('{}\n')]) {
    writeFileSync(file, wrong);
    expect(snapshotsIn(folder).read()).toBeNull();
  }
  const snapshot = { epoch: 'e', sequence: 1, id: 'i', versions: new Map(), states: new Map() };
  expect(decodeSnapshot('this', encodeSnapshot('this', snapshot))).toEqual(snapshot);
  expect(decodeSnapshot('that', encodeSnapshot('this', snapshot))).toBeNull();
});

test('a snapshot of what the log does not hold is thrown away: a store that was put back, or another epoch', async () => {
  const log = sqlite(often());
  await stateOf(log);
  await someWork(log, 2, 20);
  await log.close();
  renewEpoch(storeIn(folder));
  const renewed = sqlite(often());
  expect((await stateOf(renewed)).applied).toBeGreaterThan(10);
  await renewed.close();
  rmSync(storeIn(folder));
  const shorter = sqlite(often());
  expect((await stateOf(shorter)).read.plans).toEqual([]);
  await shorter.close();
});
