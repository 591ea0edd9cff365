import type { Cell, DeclaredStep, PlannedStep, Report, TouchedType } from './events.ts';

export const outcomes = ['CleanPass', 'PassOnRetry', 'Failed', 'Aborted', 'Skipped'] as const;
export type Outcome = (typeof outcomes)[number];

export type StepProgress = {
  message: string | null;
  row: number | null;
  totalRows: number | null;
  elapsedMs: number | null;
};

export type Step = {
  stepId: string;
  kind: string;
  text: string;
  /** `running` until its finish is seen, then the publisher's word. */
  status: string;
  durationMs: number | null;
  errorMessage: string | null;
  stepNumber: number | null;
  /** Came with its attempt, so a repeated start is known to be a repetition. */
  exact: boolean;
  progress: StepProgress | null;
  cells: readonly Cell[] | null;
  /** What only some steps carry. */
  details: StepDetails | null;
};

export type StepDetails = {
  columns?: readonly string[];
  logs?: readonly string[];
  diagnostics?: Readonly<Record<string, string | null>>;
  exceptionType?: string;
  stackTrace?: string;
  stackFrames?: readonly string[];
  hiddenStackFrames?: number;
  values?: readonly { start?: number | null; length?: number | null }[];
  declaredStepNumber?: number;
  plannedStepNumber?: number;
};

export type Attempt = {
  number: number;
  startedAt: string | null;
  /** The first start that told its time, and as which attempt; a repeated start is told from a new one by them. */
  begunAt: string | null;
  begunAs: number;
  /** Other starts of the same attempt, which hardly any has. */
  begunAgain: string[] | null;
  finishedAt: string | null;
  /** Where it ran, where that was told. */
  lane: number | null;
  outcome: Outcome | null;
  /** The foreign test's own word. */
  state: string | null;
  /** The terminal count that the publisher named. */
  attempts: number | null;
  durationMs: number | null;
  errorMessage: string | null;
  location: { file: string | null; line: number | null; stackTrace: string | null } | null;
  steps: Step[];
  disposition: string | null;
  reason: string | null;
};

export type Scenario = {
  uid: string;
  feature: string;
  scenario: string;
  /** The worker published it itself, so a supervisor's events about the same test are ignored. */
  native: boolean;
  /** In order of their number; the last is the current one. */
  attempts: Attempt[];
  /** Where events without an attempt of their own belong: the attempt whose start came last. */
  cursor: Attempt;
  /** A worker counts its attempts from 1; this much lies before. */
  offset: number;
  /** An attempt that was scheduled and has not started. */
  pending: number | null;
  /** Reasons of retries by the attempt they led to. */
  retries: Map<number, string> | null;
  totalSteps: number | null;
  declaredSteps: readonly DeclaredStep[] | null;
  plannedSteps: readonly PlannedStep[] | null;
  touchedTypes: readonly TouchedType[] | null;
  reports: readonly Report[] | null;
  /** The outcome that the run's tally counts for it. */
  counted: Outcome | null;
  /** Older than the run's generation: a snapshot shares this scenario, so it is copied before it changes. */
  generation: number;
};

export type Lane = {
  lane: number;
  status: 'running' | 'finished' | 'crashed';
  passes: number;
  uids: readonly string[];
  startedAt: string | null;
  finishedAt: string | null;
  outcomes: number | null;
  processId: number | null;
  purpose: string | null;
};

export type Recycle = { resource: string; at: string | null };
export type WorkerFault = {
  lane: number | null;
  fault: string;
  exitCode: number | null;
  standardError: string | null;
  at: string | null;
};
export type Stall = {
  uid: string;
  displayName: string;
  inFlightMs: number;
  lane: number | null;
  processId: number | null;
  at: string | null;
};
export type Progress = {
  elapsedMs: number;
  completed: number | null;
  total: number | null;
  inFlight: number | null;
  longestRunningUid: string | null;
  longestRunningDisplayName: string | null;
  longestRunningMs: number | null;
  peakWorkerRssBytes: number | null;
  at: string | null;
};

/** The publisher's closing figures, as it sent them. */
export type RunFinish = {
  exitCode: number | null;
  passed: number;
  failed: number;
  passedOnRetry: number;
  indeterminate: number;
  skipped: number | null;
  finishedAt: string | null;
};

export type RunStart = {
  suite: string | null;
  repository: string | null;
  branch: string | null;
  mode: string | null;
  startedAt: string | null;
  totalScenarios: number | null;
  tag: string | null;
  session: string | null;
  command: string | null;
};

/** One run as its events tell it. Whether its publisher still lives is not in the events. */
export type Run = {
  runId: string;
  start: RunStart;
  finish: RunFinish | null;
  scenarios: Map<string, Scenario>;
  /** The one that an event was about last. */
  latest: Scenario | null;
  /** Scenarios by outcome; what has none yet is the rest of `scenarios`. */
  tally: Record<Outcome, number>;
  lanes: Map<number, Lane>;
  /** The lane that was last handed each scenario; a lane itself only names those of its latest pass. */
  laneByScenario: Map<string, number>;
  recycles: Recycle[];
  workerFaults: WorkerFault[];
  stalls: Stall[];
  progress: Progress | null;
  /** Raised whenever a scenario is added or named anew; what is sorted is sorted again then. */
  namingVersion: number;
  /** Repeated texts, stored once. */
  internedTexts: Map<string, string>;
  /** Raised by every snapshot. */
  generation: number;
};

export const emptyTally = (): Record<Outcome, number> => ({
  CleanPass: 0,
  PassOnRetry: 0,
  Failed: 0,
  Aborted: 0,
  Skipped: 0,
});

export const newRun = (runId: string): Run => ({
  runId,
  start: {
    suite: null,
    repository: null,
    branch: null,
    mode: null,
    startedAt: null,
    totalScenarios: null,
    tag: null,
    session: null,
    command: null,
  },
  finish: null,
  scenarios: new Map(),
  latest: null,
  tally: emptyTally(),
  lanes: new Map(),
  laneByScenario: new Map(),
  recycles: [],
  workerFaults: [],
  stalls: [],
  progress: null,
  namingVersion: 0,
  internedTexts: new Map(),
  generation: 0,
});

export const newAttempt = (number: number): Attempt => ({
  number,
  startedAt: null,
  begunAt: null,
  begunAs: 0,
  begunAgain: null,
  finishedAt: null,
  lane: null,
  outcome: null,
  state: null,
  attempts: null,
  durationMs: null,
  errorMessage: null,
  location: null,
  steps: [],
  disposition: null,
  reason: null,
});
