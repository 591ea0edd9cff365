import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LongRun, withResults } from '../../scripts/long-report.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/faults.md'), 'utf8');
const rowOf = (text: string, first: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith(`| ${first} |`))
    .at(-1);
const run = (more: Partial<LongRun>): LongRun => ({
  commit: 'abc1234',
  date: '2026-01-01',
  results: [],
  figures: [],
  ...more,
});

test('a part that was run has its row, a red one with the tests that failed, and other rows stay', () => {
  const kills = { name: 'kills', isGreen: true, passed: 8, failed: [], seconds: 61 };
  const disk = {
    name: 'disk',
    isGreen: false,
    passed: 3,
    failed: [{ title: 'a full disk | refuses', why: '' }],
    seconds: 9,
  };
  const first = withResults(page, run({ results: [kills] }));
  expect(rowOf(first, 'kills')).toBe('| kills | 2026-01-01 | abc1234 | 61 s | green, 8 tests |');
  const second = withResults(first, run({ date: '2026-01-02', results: [disk] }));
  expect(rowOf(second, 'disk')).toBe('| disk | 2026-01-02 | abc1234 | 9 s | RED: a full disk \\| refuses |');
  expect(rowOf(second, 'kills')).toBe(rowOf(first, 'kills'));
});

test('figures of one row are joined, replace what was measured before, and stand in the order of their rows', () => {
  const figures = ['R13', 'R2', 'R13'].map((row, at) => ({ row, text: `figure ${at}` }));
  const measured = withResults(page, run({ figures }));
  const table = measured.slice(measured.indexOf('<!-- long figures -->'), measured.indexOf('<!-- /long figures -->'));
  expect(table.indexOf('| R2 |')).toBeLessThan(table.indexOf('| R13 |'));
  expect(table).toContain('| R13 | 2026-01-01 | abc1234 | figure 0; figure 2 |');
  const again = withResults(measured, run({ figures: [{ row: 'R13', text: 'newer' }] }));
  expect(again).toContain('| R13 | 2026-01-01 | abc1234 | newer |');
  expect(again).not.toContain('figure 0');
});

test('a page without the tables is refused', () => {
  expect(() => withResults('# Faults\n', run({}))).toThrow('long parts');
});
