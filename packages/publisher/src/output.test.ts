import { expect, test } from 'vitest';
import { linesOf, Output, printedMembers } from './output.ts';

test('a line has the time of its first part, and a final line break does not begin a line', () => {
  const output = new Output();
  output.add('first ', 'stdout', 10);
  output.add('line\nsecond', 'stdout', 20);
  output.add(' line\n', 'stdout', 30);
  output.add('\nafter an empty one\r\n', 'stdout', 40);
  output.add('warned\n', 'stderr', 25);
  const parts = output.take();
  expect(printedMembers(parts, 5)).toEqual({
    stdout: ['first line', 'second line', '', 'after an empty one'],
    stdoutMs: [5, 15, 35, 35],
    stderr: ['warned'],
    stderrMs: [20],
  });
  expect(printedMembers([...parts, 'at no time known\n'], 5)).not.toHaveProperty('stdoutMs');
  expect(linesOf(parts).stdout).toEqual(['first line', 'second line', '', 'after an empty one']);
});

test('of long output, the end is sent with the number of omitted lines', () => {
  const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}`);
  const { stdout } = linesOf([lines.join('\n')]);
  expect(stdout[0]).toMatch(/^… \d+ earlier lines left out$/);
  expect(stdout.at(-1)).toBe('line 19999');
});
