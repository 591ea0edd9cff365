import type { StepView } from './contract.ts';
import type { Step } from './run.ts';

/** Older publishers send it with the step that failed. */
export const rerunIn = (steps: readonly Step[]): string | null =>
  steps.findLast((step) => step.details?.diagnostics?.rerun)?.details?.diagnostics?.rerun ?? null;

export const stepView = (step: Step): StepView => ({
  stepId: step.stepId,
  kind: step.kind,
  text: step.text,
  status: step.status,
  durationMs: step.durationMs,
  errorMessage: step.errorMessage,
  stepNumber: step.stepNumber,
  logs: step.details?.logs ?? [],
  cells: step.cells ?? [],
  progress: step.progress,
  columns: step.details?.columns ?? [],
  values: step.details?.values ?? [],
  diagnostics: step.details?.diagnostics ?? null,
  exceptionType: step.details?.exceptionType ?? null,
  stackTrace: step.details?.stackTrace ?? null,
  stackFrames: step.details?.stackFrames ?? [],
  hiddenStackFrames: step.details?.hiddenStackFrames ?? 0,
  declaredStepNumber: step.details?.declaredStepNumber ?? null,
  plannedStepNumber: step.details?.plannedStepNumber ?? null,
  parentStepNumber: step.details?.parentStepNumber ?? null,
  startMs: step.startMs,
});
