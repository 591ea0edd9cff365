/**
 * The publisher's own copy of the monitor events: the wire is the contract, and a round-trip test on the console's
 * side holds the two copies together. Types only. Times are ISO 8601 in UTC, durations whole milliseconds, and
 * "not measured" is null, never 0.
 */

/** How one scenario ended. A pass after a failed attempt is never a clean pass. */
export type Outcome = 'CleanPass' | 'PassOnRetry' | 'Failed' | 'Aborted' | 'Skipped';
/** How one step or cell ended. */
export type StepStatus = 'ok' | 'success' | 'failed' | 'error' | 'missing' | 'invalid';
/** What a step is for. */
export type StepKind = 'Given' | 'When' | 'Then' | 'SetUp' | 'TearDown';
/** Why an attempt is followed by another. */
export type Disposition = 'RetryInProcess' | 'RetryInFreshProcess' | 'RetryAfterRecycle';
/** What a worker was started for. */
export type WorkerPurpose = 'Lane' | 'Isolated' | 'Recycled';

/** A step as the author wrote it. */
export type DeclaredStep = { keyword: string; text: string };
/** A step as the runner plans to run it. */
export type PlannedStep = { keyword: string; template: string; grammar: string; declaredStepNumber?: number | null };
/** Where an input value stands in a step's text. */
export type ValueSpan = { start: number; length: number };
/** A type of the code under test that a scenario was seen to touch. */
export type TouchedType = { name: string; fullName: string; assemblyName: string };
/** One compared or shown value; `rowIndex` is -1 outside a table. */
export type Cell = {
  name: string;
  status: StepStatus;
  expected?: string | null;
  actual?: string | null;
  note?: string | null;
  rowIndex: number;
  value?: string | null;
  comparison?: string | null;
};
/** A table that a scenario leaves behind. */
export type Report = {
  title: string;
  columns: readonly string[];
  cells: readonly Cell[];
  shortTitle?: string | null;
  suppressedRows: number;
};

type Event<Type extends string, Members> = { type: Type; runId: string } & Members;
type StepKey = { uid: string; stepId: string; attempt?: number | null; stepNumber?: number | null };
type Place = { stackTrace?: string | null; file?: string | null; line?: number | null };

/** A run began, or more of it became known: sent again whenever the total grows. */
export type RunStarted = Event<
  'run_started',
  {
    suite: string;
    repository: string;
    branch: string | null;
    mode: string;
    startedAt: string;
    totalScenarios: number | null;
    tag: string | null;
    session: string | null;
    command: string | null;
  }
>;
/** The publisher is alive, whatever the tests are doing. */
export type RunHeartbeat = Event<'run_heartbeat', { at: string }>;
/** The run is over; the counts are the publisher's, not the runner's. */
export type RunFinished = Event<
  'run_finished',
  {
    exitCode: number;
    passed: number;
    failed: number;
    passedOnRetry: number;
    indeterminate: number;
    skipped: number;
    finishedAt: string;
  }
>;
/** One attempt of a scenario began. */
export type ScenarioStarted = Event<
  'scenario_started',
  {
    uid: string;
    feature: string;
    scenario: string;
    attempt: number;
    at: string;
    totalSteps?: number | null;
    declaredSteps?: readonly DeclaredStep[] | null;
    plannedSteps?: readonly PlannedStep[] | null;
  }
>;
/** One attempt of a scenario ended. */
export type ScenarioFinished = Event<
  'scenario_finished',
  {
    uid: string;
    outcome: Outcome;
    attempts: number;
    durationMs: number | null;
    errorMessage: string | null;
    touchedTypes?: readonly TouchedType[] | null;
    at?: string | null;
    reports?: readonly Report[] | null;
  } & Place
>;
/** A failed attempt will be followed by another. */
export type RetryScheduled = Event<
  'retry_scheduled',
  { uid: string; nextAttempt: number; disposition: Disposition; reason: string }
>;
/** A step began. `stepId` names the step's template; `attempt` and `stepNumber` make it one of its kind. */
export type StepStarted = Event<
  'step_started',
  StepKey & {
    kind: StepKind;
    text: string;
    totalSteps?: number | null;
    scenarioElapsedMs?: number | null;
    declaredStepNumber?: number | null;
    plannedStepNumber?: number | null;
    values?: readonly ValueSpan[] | null;
  }
>;
/** A step ended. */
export type StepFinished = Event<
  'step_finished',
  StepKey & {
    status: StepStatus;
    durationMs: number;
    errorMessage: string | null;
    scenarioElapsedMs?: number | null;
    cells?: readonly Cell[] | null;
    columns?: readonly string[] | null;
    logs?: readonly string[] | null;
    diagnostics?: Readonly<Record<string, string>> | null;
    exceptionType?: string | null;
    stackTrace?: string | null;
    stackFrames?: readonly string[] | null;
    hiddenStackFrames?: number;
  }
>;
/** A long step moved on. The first thing to be dropped when the queue is full. */
export type StepProgress = Event<
  'step_progress',
  StepKey & {
    message?: string | null;
    row?: number | null;
    totalRows?: number | null;
    elapsedMs: number;
    cells?: readonly Cell[] | null;
  }
>;
/** A lane was handed scenarios. */
export type LaneStarted = Event<'lane_started', { lane: number; uids: readonly string[]; at: string }>;
/** A lane is through with what it was handed, or its worker is gone. */
export type LaneFinished = Event<'lane_finished', { lane: number; outcomes: number; crashed: boolean; at: string }>;
/** Something that tests share was replaced by a fresh one. */
export type ResourceRecycled = Event<'resource_recycled', { resource: string; at: string }>;
/** A worker died; `fault` is a sentence for a person. */
export type WorkerFaulted = Event<
  'worker_faulted',
  { lane: number | null; fault: string; exitCode: number | null; standardError: string | null; at: string }
>;
/** A worker was started. */
export type WorkerStarted = Event<
  'worker_started',
  { lane: number | null; purpose: WorkerPurpose; processId: number | null; at: string }
>;
/** A test is alive and has been under way for too long; said once per attempt. */
export type TestStalled = Event<
  'test_stalled',
  {
    uid: string;
    displayName: string;
    inFlightMs: number;
    lane: number | null;
    processId?: number | null;
    at: string;
  }
>;
/** A test of a framework that knows no scenarios began. */
export type TestStarted = Event<'test_started', { uid: string; displayName: string; lane: number | null; at: string }>;
/** A test of a framework that knows no scenarios ended. */
export type TestFinished = Event<
  'test_finished',
  {
    uid: string;
    displayName: string;
    state: string;
    durationMs: number | null;
    lane: number | null;
    at: string;
    errorMessage?: string | null;
  } & Place
>;
/** Where the run as a whole stands. */
export type RunProgress = Event<
  'run_progress',
  {
    elapsedMs: number;
    completed: number;
    total: number;
    inFlight: number;
    longestRunningUid: string | null;
    longestRunningDisplayName: string | null;
    longestRunningMs: number | null;
    peakWorkerRssBytes?: number | null;
    at: string;
  }
>;

/** Every event that a publisher sends. */
export type MonitorEvent =
  | RunStarted
  | RunHeartbeat
  | RunFinished
  | ScenarioStarted
  | ScenarioFinished
  | RetryScheduled
  | StepStarted
  | StepFinished
  | StepProgress
  | LaneStarted
  | LaneFinished
  | ResourceRecycled
  | WorkerFaulted
  | WorkerStarted
  | TestStalled
  | TestStarted
  | TestFinished
  | RunProgress;
