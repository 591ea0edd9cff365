/**
 * The console's copy of the monitor events, as a table: member -> what it holds. Every member may be absent or null.
 * It needs no schema library, because the browser folds the same events.
 */
import { cell, errorDetail, type Members, participating, place, stepKey, written } from './event-members.ts';

export const monitorEvents = {
  run_started: {
    suite: 'text',
    repository: 'text',
    repositoryId: 'text',
    branch: 'text',
    mode: 'text',
    startedAt: 'time',
    totalScenarios: 'whole',
    tag: 'text',
    session: 'text',
    command: 'text',
    commit: 'text',
    dirty: 'flag',
  },
  run_heartbeat: { at: 'time' },
  run_finished: {
    exitCode: 'whole',
    passed: 'whole',
    failed: 'whole',
    passedOnRetry: 'whole',
    indeterminate: 'whole',
    skipped: 'whole',
    interrupted: 'text',
    finishedAt: 'time',
  },
  participant_started: {
    participant: 'name',
    due: 'whole',
    totalScenarios: 'whole',
    processId: 'whole',
    at: 'time',
  },
  participant_finished: {
    participant: 'name',
    exitCode: 'whole',
    passed: 'whole',
    failed: 'whole',
    passedOnRetry: 'whole',
    indeterminate: 'whole',
    skipped: 'whole',
    interrupted: 'text',
    at: 'time',
  },
  scenario_started: {
    uid: 'name',
    feature: 'text',
    scenario: 'text',
    attempt: 'whole',
    at: 'time',
    totalSteps: 'whole',
    declaredSteps: { of: { keyword: 'text', text: 'text' } },
    plannedSteps: { of: { keyword: 'text', template: 'text', grammar: 'text', declaredStepNumber: 'whole' } },
    ...written,
  },
  scenario_finished: {
    uid: 'name',
    outcome: 'text',
    attempts: 'whole',
    durationMs: 'whole',
    errorMessage: 'text',
    touchedTypes: { of: { name: 'text', fullName: 'text', assemblyName: 'text' } },
    at: 'time',
    reports: {
      of: { title: 'text', columns: 'texts', cells: { of: cell }, shortTitle: 'text', suppressedRows: 'whole' },
    },
    startedAt: 'time',
    errors: { of: errorDetail },
    stackTrace: 'text',
    stdout: 'texts',
    stderr: 'texts',
    stdoutMs: 'wholes',
    stderrMs: 'wholes',
    rerun: 'text',
    ...written,
  },
  attachment: {
    uid: 'name',
    attempt: 'whole',
    name: 'text',
    mediaType: 'text',
    size: 'whole',
    sha256: 'text',
    data: 'content',
    reason: 'text',
    at: 'time',
  },
  retry_scheduled: { uid: 'name', nextAttempt: 'whole', disposition: 'text', reason: 'text' },
  step_started: {
    uid: 'name',
    stepId: 'name',
    kind: 'text',
    text: 'text',
    totalSteps: 'whole',
    scenarioElapsedMs: 'whole',
    declaredStepNumber: 'whole',
    plannedStepNumber: 'whole',
    values: { of: { start: 'whole', length: 'whole' } },
    parentStepNumber: 'whole',
    ...stepKey,
  },
  step_finished: {
    uid: 'name',
    stepId: 'name',
    status: 'text',
    durationMs: 'whole',
    errorMessage: 'text',
    scenarioElapsedMs: 'whole',
    cells: { of: cell },
    columns: 'texts',
    logs: 'texts',
    diagnostics: 'words',
    exceptionType: 'text',
    stackTrace: 'text',
    stackFrames: 'texts',
    hiddenStackFrames: 'whole',
    ...stepKey,
  },
  step_progress: {
    uid: 'name',
    stepId: 'name',
    message: 'text',
    row: 'whole',
    totalRows: 'whole',
    elapsedMs: 'whole',
    cells: { of: cell },
    ...stepKey,
  },
  lane_started: { lane: 'whole', uids: 'texts', at: 'time', ...participating },
  lane_finished: { lane: 'whole', outcomes: 'whole', crashed: 'flag', at: 'time', ...participating },
  resource_recycled: { resource: 'text', at: 'time', ...participating },
  worker_faulted: {
    lane: 'whole',
    fault: 'text',
    exitCode: 'whole',
    standardError: 'text',
    at: 'time',
    ...participating,
  },
  worker_started: { lane: 'whole', purpose: 'text', processId: 'whole', at: 'time', ...participating },
  test_stalled: {
    uid: 'name',
    displayName: 'text',
    inFlightMs: 'whole',
    lane: 'whole',
    processId: 'whole',
    at: 'time',
    ...participating,
  },
  test_started: { uid: 'name', displayName: 'text', lane: 'whole', at: 'time' },
  test_finished: {
    uid: 'name',
    displayName: 'text',
    state: 'text',
    durationMs: 'whole',
    lane: 'whole',
    at: 'time',
    errorMessage: 'text',
    ...place,
  },
  run_progress: {
    elapsedMs: 'whole',
    completed: 'whole',
    total: 'whole',
    inFlight: 'whole',
    longestRunningUid: 'text',
    longestRunningDisplayName: 'text',
    longestRunningMs: 'whole',
    peakWorkerRssBytes: 'whole',
    at: 'time',
  },
} as const satisfies Record<string, Members>;

type Table = typeof monitorEvents;
export type EventType = keyof Table;

type Held<Kind> = Kind extends 'text' | 'name' | 'content' | 'shown' | 'time'
  ? string
  : Kind extends 'whole'
    ? number
    : Kind extends 'flag'
      ? boolean
      : Kind extends 'texts'
        ? readonly string[]
        : Kind extends 'wholes'
          ? readonly number[]
          : Kind extends 'words'
            ? Readonly<Record<string, string | null>>
            : Kind extends { of: infer Inner }
              ? readonly Filled<Inner>[]
              : Kind extends { with: infer Inner }
                ? Filled<Inner>
                : never;
type Filled<Shape> = { readonly [Member in keyof Shape]?: Held<Shape[Member]> | null };

/** The member without which an event is about nothing; `subjectOf` in `read-event.ts` checks it. */
type Subject<Type extends EventType> = Type extends `lane_${string}`
  ? { readonly lane: number }
  : Type extends `participant_${string}`
    ? { readonly participant: string }
    : Type extends `${'scenario' | 'step' | 'test' | 'retry'}_${string}` | 'attachment'
      ? { readonly uid: string }
      : unknown;

/** One event of a type, read: times in UTC with milliseconds, numbers as numbers. */
export type EventOf<Type extends EventType> = { readonly type: Type; readonly runId: string } & Subject<Type> &
  Filled<Table[Type]>;
export type MonitorEvent = { [Type in EventType]: EventOf<Type> }[EventType];

export type Cell = Filled<typeof cell>;
export type TouchedType = NonNullable<EventOf<'scenario_finished'>['touchedTypes']>[number];
export type Report = NonNullable<EventOf<'scenario_finished'>['reports']>[number];
export type DeclaredStep = NonNullable<EventOf<'scenario_started'>['declaredSteps']>[number];
export type PlannedStep = NonNullable<EventOf<'scenario_started'>['plannedSteps']>[number];
export type ErrorDetail = NonNullable<EventOf<'scenario_finished'>['errors']>[number];
