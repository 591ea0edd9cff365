import { expect, test } from 'vitest';
import { createMemoryLedger } from '../../../../testing/memory-log.ts';
import { createSettableClock } from '../../../../testing/settable-clock.ts';
import type { Append, NewEvent } from '../kernel/event-log.ts';
import { createLedgerLog } from './group-commit.ts';
import type { Ledger } from './ledger.ts';

const event: NewEvent = { type: 'a', data: null, by: 'ada' };
const one: Append = { stream: 's', events: [event] };
const unavailable = { code: 'store_unavailable' };

/** A ledger whose disk can be made to fail. */
function failing() {
  const ledger = createMemoryLedger();
  const disk = { broken: false, fatal: false, probes: 0 };
  const touch = () => {
    if (disk.broken) throw new Error('disk');
  };
  const broken: Ledger = {
    ...ledger,
    commit: touch,
    probe() {
      disk.probes += 1;
      touch();
    },
    isFatal: () => disk.fatal,
  };
  return { disk, log: createLedgerLog(broken, createSettableClock()) };
}

test('calls of one turn share a COMMIT', async () => {
  const log = createLedgerLog(createMemoryLedger(), createSettableClock());
  await Promise.all(Array.from({ length: 64 }, () => log.commit(() => ({ append: [one], answer: () => null }))));
  expect(log.stats()).toEqual({ commits: 1, appends: 64 });
});

test('what comes after a long event waits for the next COMMIT, in its order', async () => {
  const log = createLedgerLog(createMemoryLedger(), createSettableClock());
  const long: Append = { stream: 's', events: [{ ...event, data: { text: 'x'.repeat(300_000) } }] };
  const answered: number[] = [];
  await Promise.all(
    [one, long, one, long, one].map(async (append, at) => {
      await log.commit(() => ({ append: [append], answer: () => null }));
      answered.push(at);
    }),
  );
  expect(answered).toEqual([0, 1, 2, 3, 4]);
  expect(log.stats()).toEqual({ commits: 3, appends: 5 });
});

test('a COMMIT that fails leaves memory, keys and listeners as they were', async () => {
  const { disk, log } = failing();
  let count = 0;
  let heard = 0;
  await log.attach({ apply: () => (count += 1), reset: () => (count = 0) });
  log.onCommitted(() => (heard += 1));
  const append = () => log.commit(() => ({ append: [one], answer: () => count }), { key: 'k', fingerprint: 'f' });
  disk.broken = true;
  expect(await append()).toMatchObject(unavailable);
  expect([count, heard, await log.rememberedAnswer('k'), log.stats().appends]).toEqual([0, 0, undefined, 0]);
  disk.broken = false;
  expect(await append()).toBe(1);
  expect((await log.read('s')).map(({ sequence }) => sequence)).toEqual([1]);
});

test('after a failed COMMIT nothing is decided until a probe was written', async () => {
  const { disk, log } = failing();
  let decided = 0;
  const append = () =>
    log.commit(() => {
      decided += 1;
      return { append: [one], answer: () => 'ok' };
    });
  disk.broken = true;
  await append();
  expect(await append()).toMatchObject(unavailable);
  expect([decided, disk.probes]).toEqual([1, 1]);
  disk.broken = false;
  expect(await append()).toBe('ok');
});

test('after a disk fault nothing is written until a restart, and reads continue', async () => {
  const { disk, log } = failing();
  const append = () => log.commit(() => ({ append: [one], answer: () => 'ok' }));
  expect(await append()).toBe('ok');
  Object.assign(disk, { broken: true, fatal: true });
  await append();
  disk.broken = false;
  expect(await append()).toMatchObject(unavailable);
  expect(disk.probes).toBe(0);
  expect(await log.read('s')).toHaveLength(1);
});

test('an event that a projection cannot take never becomes durable and fails its own call alone', async () => {
  const log = createLedgerLog(createMemoryLedger(), createSettableClock());
  let count = 0;
  await log.attach({
    apply({ type }) {
      if (type === 'poison') throw new Error('cannot fold');
      count += 1;
    },
    reset: () => (count = 0),
  });
  const append = (type: string) =>
    log.commit(() => ({ append: [{ stream: 's', events: [event, { ...event, type }] }], answer: () => count }));
  const ends = await Promise.allSettled([append('a'), append('poison'), append('b')]);
  expect(ends).toMatchObject([{ value: 2 }, { reason: { message: 'cannot fold' } }, { value: 4 }]);
  expect((await log.read('s')).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
});

test('what was asked before the log closes is still written, later calls are refused', async () => {
  const log = createLedgerLog(createMemoryLedger(), createSettableClock());
  const before = log.commit(() => ({ append: [one], answer: () => 'ok' }));
  await log.close();
  expect(await before).toBe('ok');
  expect(await log.commit(() => ({ append: [one], answer: () => 'ok' }))).toMatchObject(unavailable);
});

test('the first event since an instant is found in as many reads as the length of the log has binary digits', async () => {
  const ledger = createMemoryLedger();
  let reads = 0;
  const clock = createSettableClock();
  const log = createLedgerLog(
    {
      ...ledger,
      from(sequence, limit) {
        reads += 1;
        return ledger.from(sequence, limit);
      },
    },
    clock,
  );
  const event = { type: 'a', data: {}, by: 'ada' };
  for (let minute = 0; minute < 1_000; minute += 1) {
    await log.commit(() => ({ append: [{ stream: 's', events: [event, event, event] }], answer: () => null }));
    clock.advance(60_000);
  }
  expect(await log.firstSince('2026-01-01T10:00:00.000Z')).toBe(60 * 3 + 1);
  expect(reads).toBeLessThanOrEqual(12);
});
