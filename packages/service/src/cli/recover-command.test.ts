import { expect, test } from 'vitest';
import type { Recovery } from '../app/recover.ts';
import { recoveryText } from './recover-command.ts';

const sequences = (count: number, first: number) => Array.from({ length: count }, (_, index) => first + index);

test('of many lost events and those that depend on them the first are listed, and the rest are counted', () => {
  const recovery: Recovery = {
    at: '2026-11-18T12:00:00.000Z',
    source: '/data',
    kept: 40,
    lost: sequences(3, 1).map((sequence) => ({ sequence, stream: null })),
    dropped: sequences(30, 4).map((sequence) => ({ sequence, stream: 'claim:checkout/parser', why: '' })),
    plans: [],
    claims: [],
    runs: null,
    replacedFolder: null,
  };
  const lines = recoveryText(recovery, '/data', true).trimEnd().split('\n');
  expect(lines[0]).toBe('Can be kept: 40 events. Lost: 33 events.');
  expect(lines.slice(1, 5)).toEqual([
    '  event 1, completely lost',
    '  event 2, completely lost',
    '  event 3, completely lost',
    '  event 4 of claim:checkout/parser, which depends on a lost one',
  ]);
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe('  and 13 more: add --json');
});
