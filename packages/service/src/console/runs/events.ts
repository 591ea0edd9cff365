/**
 * Kinds of values. A very long `text` is shortened; a `name`, which identifies something, and the `content` of a file are not.
 * `displayText` is any scalar, kept as the text that a person sees.
 */
export type Plain =
  | 'text'
  | 'name'
  | 'content'
  | 'displayText'
  | 'integer'
  | 'flag'
  | 'time'
  | 'textList'
  | 'integers'
  | 'stringMap';
export type Members = { readonly [member: string]: Plain | ListOf | ObjectWith };
/** A list of objects with these members. */
export type ListOf = { readonly of: Members };
/** One object with these members. */
export type ObjectWith = { readonly with: Members };

const cell = {
  name: 'text',
  status: 'text',
  expected: 'displayText',
  actual: 'displayText',
  note: 'text',
  rowIndex: 'integer',
  value: 'displayText',
  comparison: 'text',
} as const satisfies Members;

/** The location of a failure; sent by our own publishers only. */
const place = { stackTrace: 'text', file: 'text', line: 'integer' } as const satisfies Members;
/** The publishing process, if several publish one run. */
const participating = { participant: 'name' } as const satisfies Members;
/** The identity of a test and its source location; files are relative to the repository. */
const written = {
  file: 'text',
  line: 'integer',
  column: 'integer',
  project: 'text',
  path: 'textList',
  order: 'integer',
  tags: 'textList',
  skipReason: 'text',
  todo: 'flag',
} as const satisfies Members;
const errorDetail = {
  message: 'text',
  name: 'text',
  stack: 'text',
  expected: 'displayText',
  actual: 'displayText',
  cause: 'text',
  place: { with: { file: 'text', line: 'integer', column: 'integer' } },
  frame: { with: { start: 'integer', lines: 'textList' } },
} as const satisfies Members;
/** Sent with step events by our own publishers; makes a step's identity exact. */
const stepKey = { attempt: 'integer', stepNumber: 'integer' } as const satisfies Members;

/**
 * The console's copy of the monitor events, as a table: each member and the kind of its value. Every member may be
 * absent or null. It needs no schema library, because the browser folds the same events.
 */

export const monitorEvents = {
  run_started: {
    suite: 'text',
    repository: 'text',
    repositoryId: 'text',
    branch: 'text',
    mode: 'text',
    startedAt: 'time',
    totalScenarios: 'integer',
    tag: 'text',
    session: 'text',
    command: 'text',
    commit: 'text',
    dirty: 'flag',
  },
  run_heartbeat: { at: 'time' },
  run_finished: {
    exitCode: 'integer',
    passed: 'integer',
    failed: 'integer',
    passedOnRetry: 'integer',
    indeterminate: 'integer',
    skipped: 'integer',
    interrupted: 'text',
    finishedAt: 'time',
  },
  participant_started: {
    participant: 'name',
    due: 'integer',
    totalScenarios: 'integer',
    processId: 'integer',
    at: 'time',
  },
  participant_finished: {
    participant: 'name',
    exitCode: 'integer',
    passed: 'integer',
    failed: 'integer',
    passedOnRetry: 'integer',
    indeterminate: 'integer',
    skipped: 'integer',
    interrupted: 'text',
    at: 'time',
  },
  scenario_started: {
    uid: 'name',
    feature: 'text',
    scenario: 'text',
    attempt: 'integer',
    at: 'time',
    totalSteps: 'integer',
    declaredSteps: { of: { keyword: 'text', text: 'text' } },
    plannedSteps: { of: { keyword: 'text', template: 'text', grammar: 'text', declaredStepNumber: 'integer' } },
    ...written,
  },
  scenario_finished: {
    uid: 'name',
    outcome: 'text',
    attempts: 'integer',
    durationMs: 'integer',
    errorMessage: 'text',
    touchedTypes: { of: { name: 'text', fullName: 'text', assemblyName: 'text' } },
    at: 'time',
    reports: {
      of: { title: 'text', columns: 'textList', cells: { of: cell }, shortTitle: 'text', suppressedRows: 'integer' },
    },
    startedAt: 'time',
    errors: { of: errorDetail },
    stackTrace: 'text',
    stdout: 'textList',
    stderr: 'textList',
    stdoutMs: 'integers',
    stderrMs: 'integers',
    rerun: 'text',
    ...written,
  },
  attachment: {
    uid: 'name',
    attempt: 'integer',
    name: 'text',
    mediaType: 'text',
    size: 'integer',
    sha256: 'text',
    data: 'content',
    reason: 'text',
    at: 'time',
  },
  retry_scheduled: { uid: 'name', nextAttempt: 'integer', disposition: 'text', reason: 'text' },
  step_started: {
    uid: 'name',
    stepId: 'name',
    kind: 'text',
    text: 'text',
    totalSteps: 'integer',
    scenarioElapsedMs: 'integer',
    declaredStepNumber: 'integer',
    plannedStepNumber: 'integer',
    values: { of: { start: 'integer', length: 'integer' } },
    parentStepNumber: 'integer',
    ...stepKey,
  },
  step_finished: {
    uid: 'name',
    stepId: 'name',
    status: 'text',
    durationMs: 'integer',
    errorMessage: 'text',
    scenarioElapsedMs: 'integer',
    cells: { of: cell },
    columns: 'textList',
    logs: 'textList',
    diagnostics: 'stringMap',
    exceptionType: 'text',
    stackTrace: 'text',
    stackFrames: 'textList',
    hiddenStackFrames: 'integer',
    ...stepKey,
  },
  step_progress: {
    uid: 'name',
    stepId: 'name',
    message: 'text',
    row: 'integer',
    totalRows: 'integer',
    elapsedMs: 'integer',
    cells: { of: cell },
    ...stepKey,
  },
  lane_started: { lane: 'integer', uids: 'textList', at: 'time', ...participating },
  lane_finished: { lane: 'integer', outcomes: 'integer', crashed: 'flag', at: 'time', ...participating },
  resource_recycled: { resource: 'text', at: 'time', ...participating },
  worker_faulted: {
    lane: 'integer',
    fault: 'text',
    exitCode: 'integer',
    standardError: 'text',
    at: 'time',
    ...participating,
  },
  worker_started: { lane: 'integer', purpose: 'text', processId: 'integer', at: 'time', ...participating },
  test_stalled: {
    uid: 'name',
    displayName: 'text',
    inFlightMs: 'integer',
    lane: 'integer',
    processId: 'integer',
    at: 'time',
    ...participating,
  },
  test_started: { uid: 'name', displayName: 'text', lane: 'integer', at: 'time' },
  test_finished: {
    uid: 'name',
    displayName: 'text',
    state: 'text',
    durationMs: 'integer',
    lane: 'integer',
    at: 'time',
    errorMessage: 'text',
    ...place,
  },
  run_progress: {
    elapsedMs: 'integer',
    completed: 'integer',
    total: 'integer',
    inFlight: 'integer',
    longestRunningUid: 'text',
    longestRunningDisplayName: 'text',
    longestRunningMs: 'integer',
    peakWorkerRssBytes: 'integer',
    at: 'time',
  },
} as const satisfies Record<string, Members>;

type Table = typeof monitorEvents;
export type EventType = keyof Table;

type ValueOf<Kind> = Kind extends 'text' | 'name' | 'content' | 'displayText' | 'time'
  ? string
  : Kind extends 'integer'
    ? number
    : Kind extends 'flag'
      ? boolean
      : Kind extends 'textList'
        ? readonly string[]
        : Kind extends 'integers'
          ? readonly number[]
          : Kind extends 'stringMap'
            ? Readonly<Record<string, string | null>>
            : Kind extends { of: infer Inner }
              ? readonly ValuesOf<Inner>[]
              : Kind extends { with: infer Inner }
                ? ValuesOf<Inner>
                : never;
type ValuesOf<Shape> = { readonly [Member in keyof Shape]?: ValueOf<Shape[Member]> | null };

/** The member that names the subject of an event; `subjectOf` in `read-event.ts` checks it. */
type Subject<Type extends EventType> = Type extends `lane_${string}`
  ? { readonly lane: number }
  : Type extends `participant_${string}`
    ? { readonly participant: string }
    : Type extends `${'scenario' | 'step' | 'test' | 'retry'}_${string}` | 'attachment'
      ? { readonly uid: string }
      : unknown;

/** One event of a type after reading: times in UTC with milliseconds, numbers as numbers. */
export type EventOf<Type extends EventType> = { readonly type: Type; readonly runId: string } & Subject<Type> &
  ValuesOf<Table[Type]>;
export type MonitorEvent = { [Type in EventType]: EventOf<Type> }[EventType];

export type Cell = ValuesOf<typeof cell>;
export type TouchedType = NonNullable<EventOf<'scenario_finished'>['touchedTypes']>[number];
export type Report = NonNullable<EventOf<'scenario_finished'>['reports']>[number];
export type DeclaredStep = NonNullable<EventOf<'scenario_started'>['declaredSteps']>[number];
export type PlannedStep = NonNullable<EventOf<'scenario_started'>['plannedSteps']>[number];
export type ErrorDetail = NonNullable<EventOf<'scenario_finished'>['errors']>[number];
