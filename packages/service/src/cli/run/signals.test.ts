import { expect, test } from 'vitest';
import { exitCodeOf, isForwarded } from './signals.ts';

test('the command is told of a signal once: what its terminal tells it is not told again', () => {
  expect((['SIGINT', 'SIGHUP', 'SIGTERM'] as const).map((signal) => isForwarded(signal, true))).toEqual([
    false,
    false,
    true,
  ]);
  expect((['SIGINT', 'SIGHUP', 'SIGTERM'] as const).every((signal) => isForwarded(signal, false))).toBe(true);
});

test('the exit code is that of the command, and of a shell where a signal ended it', () => {
  expect(exitCodeOf({ code: 7, signal: null })).toBe(7);
  expect(exitCodeOf({ code: null, signal: 'SIGKILL' })).toBe(137);
  expect(exitCodeOf({ code: null, signal: 'SIGSEGV' })).toBe(139);
});
