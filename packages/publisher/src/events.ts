/**
 * The publisher's own copy of the monitor events: the wire is the contract, and a round-trip test on the console's side
 * keeps the two copies the same. Types only. Times are ISO 8601 in UTC, durations whole milliseconds, and "not
 * measured" is null, never 0.
 */

import type {
  Cell,
  DeclaredStep,
  Disposition,
  ErrorDetail,
  Event,
  Outcome,
  Participating,
  Place,
  PlannedStep,
  PrintedLines,
  Report,
  StepKey,
  StepKind,
  StepStatus,
  TouchedType,
  ValueSpan,
  WorkerPurpose,
  Written,
} from './event-parts.ts';

export type * from './event-parts.ts';

/** A run began; sent again whenever the total grows. */
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
    commit?: string | null;
    dirty?: boolean | null;
    /** The identity of the repository, the same in every clone: its remote, else its package. */
    repositoryId?: string | null;
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
    /** The signal that ended the run early. */
    interrupted?: string | null;
    finishedAt: string;
  }
>;
/** One of several processes that publish this run began; sent again when it knows of more tests. */
export type ParticipantStarted = Event<
  'participant_started',
  {
    participant: string;
    /** The number of participants in the run, if known. */
    due?: number | null;
    totalScenarios?: number | null;
    processId?: number | null;
    at: string;
  }
>;
/** A participant has ended; the counts are its own. */
export type ParticipantFinished = Event<
  'participant_finished',
  {
    participant: string;
    exitCode: number;
    passed: number;
    failed: number;
    passedOnRetry: number;
    indeterminate: number;
    skipped: number;
    interrupted?: string | null;
    at: string;
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
  } & Written
>;
/** One attempt of a scenario ended. `startedAt` is the attempt's own start, if the runner reports it only now. */
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
    startedAt?: string | null;
    errors?: readonly ErrorDetail[] | null;
    stackTrace?: string | null;
    rerun?: string | null;
  } & PrintedLines &
    Written
>;
/** A file that an attempt left behind; without `data`, and with `reason`, if it is too large. */
export type Attachment = Event<
  'attachment',
  {
    uid: string;
    attempt: number;
    name: string;
    mediaType: string;
    size: number;
    sha256: string;
    data: string | null;
    reason?: string | null;
    at?: string | null;
  }
>;
/** A failed attempt will be followed by another. */
export type RetryScheduled = Event<
  'retry_scheduled',
  { uid: string; nextAttempt: number; disposition: Disposition; reason: string }
>;
/** A step began. `stepId` names the step's template; `attempt` and `stepNumber` identify this use of it. */
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
    parentStepNumber?: number | null;
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
/** Progress of a long step. Dropped first when the queue is full. */
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
/** A test of a framework without scenarios began. */
export type TestStarted = Event<'test_started', { uid: string; displayName: string; lane: number | null; at: string }>;
/** A test of a framework without scenarios ended. */
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
/** The progress of the whole run. */
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
  | ParticipantStarted
  | ParticipantFinished
  | ScenarioStarted
  | ScenarioFinished
  | Attachment
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

// Events of lanes and their workers. Types only.

/** A lane received scenarios. */
export type LaneStarted = Event<'lane_started', { lane: number; uids: readonly string[]; at: string } & Participating>;
/** A lane finished its scenarios, or its worker died. */
export type LaneFinished = Event<
  'lane_finished',
  { lane: number; outcomes: number; crashed: boolean; at: string } & Participating
>;
/** A resource shared by tests was replaced by a fresh one. */
export type ResourceRecycled = Event<'resource_recycled', { resource: string; at: string } & Participating>;
/** A worker died; `fault` is a sentence for a person. */
export type WorkerFaulted = Event<
  'worker_faulted',
  {
    lane: number | null;
    fault: string;
    exitCode: number | null;
    standardError: string | null;
    at: string;
  } & Participating
>;
/** A worker was started. */
export type WorkerStarted = Event<
  'worker_started',
  { lane: number | null; purpose: WorkerPurpose; processId: number | null; at: string } & Participating
>;
/** A test is still running after too long; sent once per attempt. */
export type TestStalled = Event<
  'test_stalled',
  {
    uid: string;
    displayName: string;
    inFlightMs: number;
    lane: number | null;
    processId?: number | null;
    at: string;
  } & Participating
>;
