import type { ScenarioView, StepView } from '../../live/wire.ts';

export type DeclaredStep = { keyword: string | null; text: string | null };

/**
 * Declared steps that never started. A step may name its declared step: setup and teardown have none, and one declared
 * step may have several steps. If no step names one, they are matched by position.
 */
export function stepsNotBegun(
  { declaredSteps }: Pick<ScenarioView, 'declaredSteps'>,
  steps: readonly Pick<StepView, 'declaredStepNumber'>[],
): DeclaredStep[] {
  const declaredNumbers = steps.flatMap(({ declaredStepNumber }) => declaredStepNumber ?? []);
  const begun = declaredNumbers.length > 0 ? Math.max(...declaredNumbers) : steps.length;
  return declaredSteps.slice(begun).map(({ keyword, text }) => ({ keyword: textIn(keyword), text: textIn(text) }));
}

/** The publisher decides its content. */
const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);

type StepError = Pick<StepView, 'errorMessage' | 'exceptionType' | 'stackTrace' | 'stackFrames' | 'hiddenStackFrames'>;

/** The error and its place: some publishers send the place as a member, others inside the message. */
export function errorText(step: StepError): string | null {
  const { errorMessage, exceptionType, stackFrames } = step;
  if (errorMessage === null && step.stackTrace === null && stackFrames.length === 0) return null;
  const message = errorMessage ?? '';
  const messageWithType = !exceptionType || message.includes(exceptionType) ? message : `${exceptionType}: ${message}`;
  return /^[ \t]*at /m.test(message) ? messageWithType : [messageWithType, ...stackLines(step)].join('\n');
}

function stackLines({ stackTrace, stackFrames, hiddenStackFrames }: StepError): string[] {
  if (stackFrames.length === 0) return stackTrace ? [stackTrace] : [];
  const frames = stackFrames.map((frame) => (/^\s*at /.test(frame) ? frame : `   at ${frame}`));
  return hiddenStackFrames > 0 ? [...frames, `   and ${hiddenStackFrames} more`] : frames;
}

/** The keywords before the steps share a column, which is as wide as the longest, at most half the panel. */
export const kindWidth = (kinds: readonly string[]): number =>
  8 *
  Math.min(
    12,
    kinds.reduce((most, { length }) => Math.max(most, length), 5),
  );
