import { expect, test } from 'vitest';
import { parseSince } from './since.ts';

const now = Date.UTC(2026, 0, 10, 12);
const hour = 3_600_000;

test.each([
  ['7d', now - 168 * hour],
  ['36h', now - 36 * hour],
  ['90m', now - 1.5 * hour],
  ['1.5h', now - 1.5 * hour],
  ['P7D', now - 168 * hour],
  ['P1W', now - 168 * hour],
  ['PT12H', now - 12 * hour],
  ['P1DT1H30M', now - 25.5 * hour],
  ['2026-01-09', Date.UTC(2026, 0, 9)],
  ['2026-01-09T10:00:00+02:00', Date.UTC(2026, 0, 9, 8)],
  ['2026-01-09T10:00:00 02:00', Date.UTC(2026, 0, 9, 8)],
])('%s is understood', (text, expected) => {
  expect(parseSince(text, now)).toBe(expected);
});

test.each(['', '7', 'd', 'P', 'PT', 'yesterday', '-7d', '7 days', '2026-13-40', '2026-01-09T25:99:00Z'])(
  '%j is not',
  (text) => {
    expect(parseSince(text, now)).toBeUndefined();
  },
);
