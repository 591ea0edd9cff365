import { expect, test } from 'vitest';
import { type ConditionFacts, conditionCodes, conditionsOf, isReady } from './conditions.ts';

const now = Date.UTC(2026, 0, 1, 9);
const day = 24 * 60 * 60_000;
const mega = 1024 * 1024;
const fine: ConditionFacts = {
  now,
  store: { state: 'ready', since: null },
  databaseAwaySince: null,
  runs: { writable: true, since: null },
  freeBytes: 500 * mega,
  minFreeBytes: 100 * mega,
  notWritable: [],
  certificate: { from: now - day, until: now + 60 * day },
  clockBehindMs: 0,
  snapshot: null,
  notifications: { failed: 0, since: null, receivers: [] },
  providerAwaySince: null,
  backup: { lastAt: now - day, everyHours: 24, since: now },
};
const since = '2026-01-01T08:00:00.000Z';
const cases: Record<(typeof conditionCodes)[number], [Partial<ConditionFacts>, boolean]> = {
  store_not_writable: [{ store: { state: 'doubtful', since } }, false],
  store_damaged: [{ store: { state: 'damaged', since } }, false],
  database_away: [{ databaseAwaySince: since }, false],
  runs_not_writable: [{ runs: { writable: false, since } }, false],
  disk_full: [{ freeBytes: 99 * mega }, false],
  data_path_not_writable: [{ notWritable: ['audit.ndjson'] }, false],
  certificate_expired: [{ certificate: { from: 0, until: now - 1 } }, false],
  certificate_not_yet_valid: [{ certificate: { from: now + 1, until: now + day } }, false],
  certificate_ends_soon: [{ certificate: { from: 0, until: now + 13 * day } }, true],
  clock_went_back: [{ clockBehindMs: 3_600_000 }, true],
  snapshot_unusable: [{ snapshot: { why: 'its checksum is wrong', since } }, true],
  notifications_failing: [{ notifications: { failed: 2, since, receivers: ['ci'] } }, true],
  sign_in_provider_away: [{ providerAwaySince: since }, true],
  backup_too_old: [{ backup: { lastAt: now - 3 * day, everyHours: 24, since: now } }, true],
};

test.each(conditionCodes)('%s is in the list while its fact holds, and no other is', (code) => {
  const [facts, ready] = cases[code];
  const conditions = conditionsOf({ ...fine, ...facts });
  expect(conditions.map((condition) => condition.code)).toEqual([code]);
  expect(isReady(conditions)).toBe(ready);
  for (const { detail, next } of conditions) for (const text of [detail, next]) expect(text).toMatch(/[.)]$/);
});

test('a service with everything it needs is ready, and features that are off are not conditions', () => {
  expect(conditionsOf(fine)).toEqual([]);
  const off = { certificate: null, freeBytes: null, backup: { lastAt: null, everyHours: null, since: 0 } };
  expect(conditionsOf({ ...fine, ...off })).toEqual([]);
  expect(conditionsOf({ ...fine, minFreeBytes: 0, freeBytes: 1 })).toEqual([]);
});

test('a disk that failed under the store requires a restart, and what is down comes first', () => {
  const lost = conditionsOf({ ...fine, store: { state: 'lost', since }, clockBehindMs: 9_999_999, freeBytes: 0 });
  expect(lost.map(({ severity }) => severity)).toEqual(['down', 'down', 'warning']);
  expect(lost[0]?.next).toContain('restart');
});
