import { expect, test } from 'vitest';
import { batchesOf } from './batches.ts';

const counts = (events: readonly string[]) => [...batchesOf(events)].map((batch) => batch.length);

test('batches stay within the limits of ingest in number and length, and hold every event once', () => {
  expect(counts([])).toEqual([]);
  expect(counts(Array.from({ length: 1001 }, (_, at) => `${at}`))).toEqual([500, 500, 1]);
  const long = JSON.stringify('x'.repeat(1024 * 1024));
  expect(counts([long, long, long, long, '1'])).toEqual([3, 2]);
  expect(counts([JSON.stringify('x'.repeat(5 * 1024 * 1024)), '1'])).toEqual([1, 1]);
});
