import { expect, test } from 'vitest';
import { isSameStart, startFormatOf } from './process-start.ts';

test('the start of a process is read in the format of each system', () => {
  expect(startFormatOf('104101')).toBe('ticks');
  expect(startFormatOf('Thu Nov 12 08:31:05 2026')).toBe('date');
  expect(startFormatOf('Thu Nov  5 08:31:05 2026')).toBe('date');
  expect(startFormatOf('134070123456789012')).toBe('filetime');
  expect(startFormatOf('jeu. 12 nov. 08:31:05 2026')).toBeUndefined();
  expect(startFormatOf('')).toBeUndefined();
});

test('two dates name one start when they are the same second or the next', () => {
  expect(isSameStart('Thu Nov  5 08:31:05 2026', 'Thu Nov 5 08:31:05 2026')).toBe(true);
  expect(isSameStart('Thu Nov 12 08:31:05 2026', 'Thu Nov 12 08:31:06 2026')).toBe(true);
  expect(isSameStart('Thu Nov 12 08:31:05 2026', 'Thu Nov 12 14:01:05 2026')).toBe(false);
});
