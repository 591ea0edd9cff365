import { expect, test } from 'vitest';
import { exitCodeOf, isForwarded } from './signals.ts';

test('the command gets each signal once: a signal from its terminal is not forwarded', () => {
  expect((['SIGINT', 'SIGHUP', 'SIGTERM'] as const).map((signal) => isForwarded(signal, true))).toEqual([
    false,
    false,
    true,
  ]);
  expect((['SIGINT', 'SIGHUP', 'SIGTERM'] as const).every((signal) => isForwarded(signal, false))).toBe(true);
});

test("the exit code is the command's, or 128 plus the signal as in a shell", () => {
  expect(exitCodeOf({ code: 7, signal: null })).toBe(7);
  expect(exitCodeOf({ code: null, signal: 'SIGKILL' })).toBe(137);
  expect(exitCodeOf({ code: null, signal: 'SIGSEGV' })).toBe(139);
});
