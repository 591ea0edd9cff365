import type { ScenarioView, StepView } from '../../live/wire.ts';

export type Declared = { keyword?: string | null; text?: string | null };

/**
 * Steps that were declared and never begun. A step may say which declared one it is: what sets up and tears down is
 * none of them, and one declared step may take several. Where no step says so, they are known by their place.
 */
export function restOf(
  { declaredSteps }: Pick<ScenarioView, 'declaredSteps'>,
  steps: readonly Pick<StepView, 'declaredStepNumber'>[],
): Declared[] {
  const told = steps.flatMap(({ declaredStepNumber }) => declaredStepNumber ?? []);
  const begun = told.length > 0 ? Math.max(...told) : steps.length;
  return (declaredSteps as readonly Declared[]).slice(begun);
}

type Trouble = Pick<StepView, 'errorMessage' | 'exceptionType' | 'stackTrace' | 'stackFrames' | 'hiddenStackFrames'>;

/** What broke and where: many publishers send the place beside the message, others inside it. */
export function troubleOf(step: Trouble): string | null {
  const { errorMessage, exceptionType, stackFrames } = step;
  if (errorMessage === null && step.stackTrace === null && stackFrames.length === 0) return null;
  const said = errorMessage ?? '';
  const named = !exceptionType || said.includes(exceptionType) ? said : `${exceptionType}: ${said}`;
  return /^\s*at /m.test(said) ? named : [named, ...placesOf(step)].join('\n');
}

function placesOf({ stackTrace, stackFrames, hiddenStackFrames }: Trouble): string[] {
  if (stackFrames.length === 0) return stackTrace ? [stackTrace] : [];
  const frames = stackFrames.map((frame) => (/^\s*at /.test(frame) ? frame : `   at ${frame}`));
  return hiddenStackFrames > 0 ? [...frames, `   and ${hiddenStackFrames} more`] : frames;
}

/** The words before the steps stand in one column, wide enough for the longest and never half the panel. */
export const kindWidth = (kinds: readonly string[]): number =>
  8 *
  Math.min(
    12,
    kinds.reduce((most, { length }) => Math.max(most, length), 5),
  );
