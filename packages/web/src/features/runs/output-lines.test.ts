import { expect, test } from 'vitest';
import type { StepView } from '../../live/wire.ts';
import { linesByStep, timedOutput } from './output-lines.ts';

const step = (text: string, startMs: number | null, durationMs: number | null) =>
  ({ text, startMs, durationMs }) as unknown as StepView;
const line = (atMs: number) => ({ atMs, stream: 'stdout' as const, text: `at ${atMs}` });

test('both streams are one, by the time of each line', () => {
  const printed = { stdout: ['a', 'c'], stdoutMs: [1, 9], stderr: ['b'], stderrMs: [5] };
  expect(timedOutput(printed)?.map(({ text, stream }) => `${text} ${stream}`)).toEqual([
    'a stdout',
    'b stderr',
    'c stdout',
  ]);
  expect(timedOutput({ ...printed, stderrMs: [] })).toBeNull();
});

test('a line belongs to the innermost step under way, and after its end to the last that had begun', () => {
  const [outer, inner, next] = [step('outer', 10, 50), step('inner', 20, 10), step('next', 80, null)];
  const found = linesByStep([outer, inner, next], [5, 15, 25, 40, 70, 500].map(line));
  const texts = (of: StepView | null) => found?.get(of)?.map(({ text }) => text);
  expect(texts(null)).toEqual(['at 5']);
  expect(texts(outer)).toEqual(['at 15', 'at 40']);
  expect(texts(inner)).toEqual(['at 25', 'at 70']);
  expect(texts(next)).toEqual(['at 500']);
});

test('where a step does not tell when it began, output is told apart from the steps', () => {
  expect(linesByStep([step('one', null, 5)], [line(1)])).toBeNull();
  expect(linesByStep([], [line(1)])).toBeNull();
});
