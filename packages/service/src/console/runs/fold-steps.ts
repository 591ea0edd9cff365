import type { EventOf } from './events.ts';
import { internText, preferNativeEvents, scenarioOf } from './fold-scenarios.ts';
import type { Attempt, Run, Scenario, Step, StepDetails } from './run.ts';

type StepReference = { attempt?: number | null; stepNumber?: number | null; stepId?: string | null };

/** A step event belongs to the attempt that it names, otherwise to the newest attempt. */
function attemptOf(scenario: Scenario, { attempt }: StepReference): Attempt {
  if (attempt === undefined || attempt === null) return scenario.cursor;
  const number = attempt + scenario.offset;
  return scenario.attempts.find((known) => known.number === number) ?? scenario.cursor;
}

const isExact = ({ attempt, stepNumber }: StepReference): boolean =>
  attempt !== undefined && attempt !== null && stepNumber !== undefined && stepNumber !== null;

export function startStep(run: Run, event: EventOf<'step_started'>): void {
  const scenario = scenarioOf(run, event.uid);
  preferNativeEvents(run, scenario);
  if (event.totalSteps != null) scenario.totalSteps = event.totalSteps;
  const attempt = attemptOf(scenario, event);
  const { steps } = attempt;
  const known = findStarted(steps, event);
  if (known < 0) addStep(attempt, newStep(run, event));
  else if (!steps[known]?.exact) steps[known] = newStep(run, event);
}

/** Pushing onto an array reserves room for sixteen more, which most scenarios never use. */
function addStep(attempt: Attempt, step: Step): void {
  if (attempt.steps.length < 8) attempt.steps = [...attempt.steps, step];
  else attempt.steps.push(step);
}

/** The step is found by its number. Without a number, a running step with the same id and text is a repetition. */
function findStarted(steps: readonly Step[], event: EventOf<'step_started'>): number {
  if (event.stepNumber != null) return steps.findIndex((step) => step.stepNumber === event.stepNumber);
  const last = steps.length - 1;
  const step = steps[last];
  return step?.status === 'running' && step.stepId === event.stepId && step.text === (event.text ?? '') ? last : -1;
}

const newStep = (run: Run, event: Omit<EventOf<'step_started'>, 'type' | 'runId' | 'uid'>): Step => ({
  stepId: internText(run, event.stepId ?? ''),
  kind: internText(run, event.kind ?? ''),
  text: internText(run, event.text ?? ''),
  status: 'running',
  durationMs: null,
  errorMessage: null,
  stepNumber: event.stepNumber ?? null,
  startMs: event.scenarioElapsedMs ?? null,
  exact: isExact(event),
  progress: null,
  cells: null,
  details: mergeDetails(null, {
    values: event.values,
    declaredStepNumber: event.declaredStepNumber,
    plannedStepNumber: event.plannedStepNumber,
    parentStepNumber: event.parentStepNumber,
  }),
});

export function finishStep(run: Run, event: EventOf<'step_finished'>): void {
  const scenario = scenarioOf(run, event.uid);
  const attempt = attemptOf(scenario, event);
  let step = findFinished(attempt.steps, event);
  if (!step) {
    step = newStep(run, { stepId: event.stepId ?? '', stepNumber: event.stepNumber ?? null });
    addStep(attempt, step);
  }
  step.status = internText(run, event.status ?? 'ok');
  step.durationMs = event.durationMs ?? null;
  step.errorMessage = event.errorMessage ?? null;
  step.progress = null;
  if (event.cells) step.cells = event.cells;
  step.details = mergeDetails(step.details, event);
}

/** A step id names a template and may occur several times: the first that is running, otherwise the last. */
function findFinished(steps: readonly Step[], event: StepReference): Step | undefined {
  if (event.stepNumber != null) return steps.find((step) => step.stepNumber === event.stepNumber);
  const same = (step: Step) => step.stepId === event.stepId;
  return steps.find((step) => same(step) && step.status === 'running') ?? steps.findLast(same);
}

/** Keeps only the newest progress of a running step. */
export function progressStep(run: Run, event: EventOf<'step_progress'>): void {
  const scenario = scenarioOf(run, event.uid);
  const step = findFinished(attemptOf(scenario, event).steps, event);
  if (step?.status !== 'running') return;
  const elapsedMs = event.elapsedMs ?? null;
  if ((step.progress?.elapsedMs ?? 0) > (elapsedMs ?? 0)) return;
  const { message = null, row = null, totalRows = null } = event;
  step.progress = { message, row, totalRows, elapsedMs };
  if (event.cells) step.cells = event.cells;
}

type ReportedDetails = { [Name in keyof StepDetails]?: StepDetails[Name] | null | undefined };

/** Null never erases a value; most steps have none of these. */
function mergeDetails(before: StepDetails | null, source: ReportedDetails): StepDetails | null {
  if (!hasDetails(source)) return before;
  const more: StepDetails = { ...before };
  if (source.columns) more.columns = source.columns;
  if (source.logs) more.logs = source.logs;
  if (source.diagnostics) more.diagnostics = source.diagnostics;
  if (source.exceptionType != null) more.exceptionType = source.exceptionType;
  if (source.stackTrace != null) more.stackTrace = source.stackTrace;
  if (source.stackFrames) more.stackFrames = source.stackFrames;
  if (source.hiddenStackFrames) more.hiddenStackFrames = source.hiddenStackFrames;
  if (source.values) more.values = source.values;
  if (source.declaredStepNumber != null) more.declaredStepNumber = source.declaredStepNumber;
  if (source.plannedStepNumber != null) more.plannedStepNumber = source.plannedStepNumber;
  if (source.parentStepNumber != null) more.parentStepNumber = source.parentStepNumber;
  return more;
}

const hasDetails = (source: ReportedDetails): boolean =>
  source.columns != null ||
  source.logs != null ||
  source.diagnostics != null ||
  source.exceptionType != null ||
  source.stackTrace != null ||
  source.stackFrames != null ||
  !!source.hiddenStackFrames ||
  source.values != null ||
  source.declaredStepNumber != null ||
  source.plannedStepNumber != null ||
  source.parentStepNumber != null;

export const lastError = (steps: readonly Step[]): string | null =>
  steps.findLast((step) => step.errorMessage !== null)?.errorMessage ?? null;
