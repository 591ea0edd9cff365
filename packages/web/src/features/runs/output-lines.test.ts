import { expect, test } from 'vitest';
import type { StepView } from '../../live/wire.ts';
import { linesByStep, timedOutput } from './output-lines.ts';

const step = (
  text: string,
  startMs: number | null,
  durationMs: number | null,
  parentStepNumber: number | null = null,
) => ({ text, startMs, durationMs, parentStepNumber }) as unknown as StepView;
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

test('a line belongs to the innermost step under way; what is printed between steps stands after the one before', () => {
  const [outer, inner, next] = [step('outer', 10, 50), step('inner', 20, 10, 1), step('next', 80, null)];
  const found = linesByStep([outer, inner, next], [5, 15, 25, 40, 70, 500].map(line));
  const texts = (lines: readonly { text: string }[] | undefined) => lines?.map(({ text }) => text);
  expect(texts(found?.before)).toEqual(['at 5']);
  expect(texts(found?.during.get(outer))).toEqual(['at 15', 'at 40']);
  expect(texts(found?.during.get(inner))).toEqual(['at 25']);
  expect(texts(found?.after.get(outer))).toEqual(['at 70']);
  expect(texts(found?.during.get(next))).toEqual(['at 500']);
});

test('where a step does not tell when it began, output is told apart from the steps', () => {
  expect(linesByStep([step('one', null, 5)], [line(1)])).toBeNull();
  expect(linesByStep([], [line(1)])).toBeNull();
});
