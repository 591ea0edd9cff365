import type { StepView } from '../../live/wire.ts';

/** A step with its parts, and its start and length as shares of the attempt. */
export type StepNode = { step: StepView; parts: StepNode[]; left: number; width: number; failed: boolean };

const hasPassed = ({ status }: StepView): boolean => status === 'ok' || status === 'success' || status === 'running';

/** Steps as a tree, placed by their start times if all are known, otherwise one after the other. */
export function stepTree(steps: readonly StepView[]): StepNode[] {
  const starts = startsOf(steps);
  const end = steps.reduce(
    (most, { durationMs }, index) => Math.max(most, (starts[index] ?? 0) + (durationMs ?? 0)),
    1,
  );
  const nodes = steps.map((step, index): StepNode & { parts: StepNode[] } => ({
    step,
    parts: [],
    left: ((starts[index] ?? 0) / end) * 100,
    width: ((step.durationMs ?? 0) / end) * 100,
    failed: !hasPassed(step),
  }));
  const byNumber = new Map(nodes.map((node) => [node.step.stepNumber, node]));
  const roots: StepNode[] = [];
  for (const node of nodes) {
    const { parentStepNumber, stepNumber } = node.step;
    const parent = parentStepNumber === null || parentStepNumber === stepNumber ? null : byNumber.get(parentStepNumber);
    // A parent comes before its parts, so that they cannot form a cycle.
    if (parent && nodes.indexOf(parent) < nodes.indexOf(node)) parent.parts.push(node);
    else roots.push(node);
  }
  return roots;
}

function startsOf(steps: readonly StepView[]): number[] {
  const haveStarts = steps.every(({ startMs }) => startMs !== null);
  let before = 0;
  return steps.map(({ startMs, durationMs }) => {
    if (haveStarts) return startMs ?? 0;
    const start = before;
    before += durationMs ?? 0;
    return start;
  });
}

/** Whether the step or one of its parts failed. */
export const isOnFailingPath = ({ failed, parts }: StepNode): boolean => failed || parts.some(isOnFailingPath);
