import { expect, test } from 'vitest';
import type { StepView } from '../../live/wire.ts';
import { isOnFailingPath, type StepNode, stepTree } from './step-tree.ts';

const step = (stepNumber: number, more: Partial<StepView>): StepView =>
  ({
    stepNumber,
    parentStepNumber: null,
    startMs: null,
    durationMs: 10,
    status: 'ok',
    text: `s${stepNumber}`,
    ...more,
  }) as StepView;
const told = (nodes: readonly StepNode[]): unknown[] =>
  nodes.map(({ step: { text }, parts }) => (parts.length > 0 ? [text, told(parts)] : text));

test('steps are a tree by the step that each is a part of', () => {
  const tree = stepTree([
    step(1, {}),
    step(2, {}),
    step(3, { parentStepNumber: 2 }),
    step(4, { parentStepNumber: 3, status: 'failed' }),
    step(5, { parentStepNumber: 9 }),
  ]);
  expect(told(tree)).toEqual(['s1', ['s2', [['s3', ['s4']]]], 's5']);
  expect(tree.map(isOnFailingPath)).toEqual([false, true, false]);
});

test('steps lie where they began, or one after the other where nobody tells', () => {
  const [a, b] = stepTree([step(1, { startMs: 0 }), step(2, { startMs: 30 })]);
  expect([a?.left, a?.width, b?.left, b?.width]).toEqual([0, 25, 75, 25]);
  expect(stepTree([step(1, {}), step(2, {})])[1]).toMatchObject({ left: 50, width: 50 });
});
