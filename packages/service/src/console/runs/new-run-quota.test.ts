import { expect, test } from 'vitest';
import { NewRunQuota } from './quotas.ts';

function quotaAt({ perBatch = 3, perMinute = 5, onBoard = 100 } = {}) {
  const clock = { now: 0 };
  return { clock, quota: new NewRunQuota({ perBatch, perMinute, onBoard }, () => clock.now) };
}
const begin = (quota: NewRunQuota, sender: string, ids: readonly string[], live = 0) =>
  ids.map(quota.forBatch(sender, { live }));

test('a batch begins at most so many runs; further runs are rejected with the reason', () => {
  const { quota } = quotaAt();
  const [a, b, c, d, again, other] = begin(quota, 'ci', ['a', 'b', 'c', 'd', 'a', 'd']);
  expect([a, b, c, again]).toEqual([undefined, undefined, undefined, undefined]);
  expect(d).toBe('a batch may start at most 3 runs; send the events of the others in another batch');
  expect(other).toBe(d);
});

test('a sender begins at most so many runs a minute, and the rejection names when to try again', () => {
  const { quota, clock } = quotaAt();
  begin(quota, 'ci', ['a', 'b', 'c']);
  clock.now = 20_500;
  expect(begin(quota, 'ci', ['d', 'e', 'f'])).toEqual([
    undefined,
    undefined,
    'one sender may start at most 5 runs a minute; try again in 40 s',
  ]);
  expect(begin(quota, 'another', ['g'])).toEqual([undefined]);
  clock.now = 60_000;
  expect(begin(quota, 'ci', ['f'])).toEqual([undefined]);
});

test('a board that is full of live runs accepts no more', () => {
  const { quota } = quotaAt({ onBoard: 10 });
  expect(begin(quota, 'ci', ['a', 'b'], 9)).toEqual([
    undefined,
    '10 runs are live (Service:MaxRuns); try again when some have ended',
  ]);
});
