import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NewEvent } from '../../packages/service/src/kernel/event-log.ts';
import { createLedgerLog } from '../../packages/service/src/store/group-commit.ts';
import { createSqliteLedger, openDatabase } from '../../packages/service/src/store/sqlite/sqlite-ledger.ts';
import { openSqliteLog } from '../../packages/service/src/store/sqlite/sqlite-log.ts';
import { behavesLikeAnEventLog } from '../../testing/behaves-like-an-event-log.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

let folder = '';
const newPath = () => join(folder, `${randomUUID()}.sqlite`);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-sqlite-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

behavesLikeAnEventLog('sqlite', () => {
  const clock = createSettableClock();
  return { log: openSqliteLog({ path: newPath(), clock }), pass: clock.advance };
});

const event = (size = 1): NewEvent => ({ type: 'a', data: 'x'.repeat(size), by: 'ada' });

test('everything that was answered is there after the log is reopened', async () => {
  const path = newPath();
  const first = openSqliteLog({ path, clock: createSettableClock() });
  const guard = { key: 'k', fingerprint: 'f' };
  await first.commit(() => ({ append: [{ stream: 's', events: [event(), event()] }], answer: () => 7 }), guard);
  const before = await first.read('s');
  await first.close();

  await using second = closing(openSqliteLog({ path, clock: createSettableClock() }));
  expect(await second.log.read('s')).toEqual(before);
  expect((await second.log.rememberedAnswer('k'))?.answer).toBe(7);
  await second.log.commit(() => ({ append: [{ stream: 's', events: [event()] }], answer: () => null }));
  expect((await second.log.read('s')).at(-1)).toMatchObject({ sequence: 3, version: 3 });
});

test('a full disk causes a refusal, memory returns to the durable state, and writing resumes by itself', async () => {
  const database = openDatabase(newPath());
  await using opened = closing(createLedgerLog(createSqliteLedger(database), createSettableClock()));
  const { log } = opened;
  let count = 0;
  await log.attach({ apply: () => (count += 1), reset: () => (count = 0) });
  const append = (size: number) =>
    log.commit(() => ({ append: [{ stream: 's', events: [event(size)] }], answer: () => count }));
  expect(await append(1)).toBe(1);

  database.exec('PRAGMA max_page_count = 20');
  const refused = { code: 'store_unavailable' };
  expect(await Promise.all([append(1), append(200_000), append(1)])).toMatchObject([refused, refused, refused]);
  expect(count).toBe(1);

  database.exec('PRAGMA max_page_count = 100000');
  expect(await append(200_000)).toBe(2);
  expect((await log.read('s')).map(({ sequence, version }) => [sequence, version])).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test('a newer database is refused, and the message names both versions', () => {
  const path = newPath();
  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(() => openSqliteLog({ path, clock: createSettableClock() })).toThrow(/version 99, .* up to 3\b/);
});

const closing = <Log extends { close(): Promise<void> }>(log: Log) => ({
  log,
  [Symbol.asyncDispose]: () => log.close(),
});
