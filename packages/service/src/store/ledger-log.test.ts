import { expect, test } from 'vitest';
import { createMemoryLedger } from '../../../../testing/memory-log.ts';
import { createSettableClock } from '../../../../testing/settable-clock.ts';
import { createLedgerLog } from './ledger-log.ts';

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
