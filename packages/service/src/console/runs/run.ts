import type { RunOrigin, RunTrust } from '../../kernel/run-summary.ts';
import type { Cell, DeclaredStep, ErrorDetail, PlannedStep, Report, TouchedType } from './events.ts';

export const outcomes = ['CleanPass', 'PassOnRetry', 'Failed', 'Aborted', 'Skipped'] as const;
export type Outcome = (typeof outcomes)[number];

export type Step = {
  stepId: string;
  kind: string;
  text: string;
  /** `running` until the step finishes, then the publisher's own status. */
  status: string;
  durationMs: number | null;
  errorMessage: string | null;
  stepNumber: number | null;
  /** Milliseconds between the start of the attempt and of the step. */
  startMs: number | null;
  /** Its events name the attempt and the number of the step, so a repetition is recognised. */
  exact: boolean;
  progress: StepProgress | null;
  cells: readonly Cell[] | null;
  /** Members that only some steps have. */
  details: StepDetails | null;
};

export type Attempt = {
  number: number;
  startedAt: string | null;
  /** The first start with a time, and its attempt number; they distinguish a repeated start from a new one. */
  begunAt: string | null;
  begunAs: number;
  /** Other starts of the same attempt; almost always null. */
  begunAgain: string[] | null;
  finishedAt: string | null;
  /** Where it ran, if known. */
  lane: number | null;
  outcome: Outcome | null;
  /** The state as a supervisor reported it. */
  state: string | null;
  /** The number of attempts that the verdict reports. */
  attempts: number | null;
  durationMs: number | null;
  errorMessage: string | null;
  location: { file: string | null; line: number | null; stackTrace: string | null } | null;
  errors: readonly ErrorDetail[] | null;
  output: PrintedLines | null;
  skipReason: string | null;
  todo: boolean;
  /** The command that runs the test again. */
  rerun: string | null;
  steps: Step[];
  disposition: string | null;
  reason: string | null;
};

/** The output of an attempt, and the time of each line in milliseconds since its start, if known. */
export type PrintedLines = Readonly<{
  stdout: readonly string[];
  stderr: readonly string[];
  stdoutMs: readonly number[];
  stderrMs: readonly number[];
}>;

export type Scenario = {
  uid: string;
  feature: string;
  scenario: string;
  /** Whether the worker published the test itself; a supervisor's events about it are then ignored. */
  native: boolean;
  /** The attempts in order of their number; the last is the current one. */
  attempts: Attempt[];
  /** The attempt that started last; events that name no attempt belong to it. */
  cursor: Attempt;
  /** Added to the attempt numbers of the worker, which counts from 1 in each process. */
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
  /** Source location and grouping, if its publisher sends them. */
  written: Written | null;
  /** Files that its attempts attached; their content stays in the archive. */
  attachments: readonly AttachmentEntry[] | null;
  /** The outcome that the run's tally counts for it. */
  counted: Outcome | null;
  /** Older than the run's generation: a snapshot shares this scenario, so it is copied before it changes. */
  generation: number;
};

/** The publisher's closing figures, as it sent them. */
export type RunFinish = {
  exitCode: number | null;
  passed: number;
  failed: number;
  passedOnRetry: number;
  indeterminate: number;
  skipped: number | null;
  interrupted: string | null;
  finishedAt: string | null;
  /** Computed from the participants; the figures are counted. */
  fromParticipants: boolean;
};

/** One of several processes that publish a run. */
export type Participant = {
  participant: string;
  /** The total number of participants, as this one reported it. */
  due: number | null;
  totalScenarios: number | null;
  processId: number | null;
  startedAt: string | null;
  finish: RunFinish | null;
};

export type RunStart = {
  suite: string | null;
  repository: string | null;
  repositoryId: string | null;
  branch: string | null;
  mode: string | null;
  startedAt: string | null;
  totalScenarios: number | null;
  tag: string | null;
  session: string | null;
  command: string | null;
  commit: string | null;
  dirty: boolean | null;
};

/** One run as folded from its events. Whether its publisher is still alive is not in the events. */
export type Run = {
  runId: string;
  /** Facts from the stamp: when the run arrived and ended, and who published it. */
  receivedAt: string | null;
  endedAt: string | null;
  publisher: string | null;
  trust: RunTrust;
  /** The trace context of its first events, if they had one. */
  traceparent?: string;
  late: number;
  /**
   * True if it was read from an archive without stamps: its last start and end count, as they did when it was written.
   */
  fromBeforeStamps: boolean;
  start: RunStart;
  /** Null while a participant is still running or missing. */
  finish: RunFinish | null;
  /** The `run_finished` of its owner, which may arrive before its participants finish. */
  closed: RunFinish | null;
  participants: Map<string, Participant>;
  scenarios: Map<string, Scenario>;
  /** The scenario of the last event. */
  latest: Scenario | null;
  /** The number of scenarios by outcome; those without an outcome are not counted. */
  tally: Record<Outcome, number>;
  lanes: Map<number, Lane>;
  /** Numbers of lanes by participant and its own number. */
  laneNumbers: Map<string, number>;
  /** The lane that each scenario was last assigned to; a lane itself only lists those of its latest pass. */
  laneByScenario: Map<string, number>;
  recycles: Recycle[];
  workerFaults: WorkerFault[];
  stalls: Stall[];
  progress: Progress | null;
  /** The total size of its stored attachments. */
  attachmentBytes: number;
  /** Incremented whenever a scenario is added or renamed; cached orders are then stale. */
  namingVersion: number;
  /** Repeated texts, stored once. */
  internedTexts: Map<string, string>;
  /** Incremented by every snapshot. */
  generation: number;
};

const emptyTally = (): Record<Outcome, number> => ({
  CleanPass: 0,
  PassOnRetry: 0,
  Failed: 0,
  Aborted: 0,
  Skipped: 0,
});

export const newRun = (runId: string): Run => ({
  runId,
  receivedAt: null,
  endedAt: null,
  publisher: null,
  trust: 'local',
  late: 0,
  fromBeforeStamps: false,
  start: {
    suite: null,
    repository: null,
    repositoryId: null,
    branch: null,
    mode: null,
    startedAt: null,
    totalScenarios: null,
    tag: null,
    session: null,
    command: null,
    commit: null,
    dirty: null,
  },
  finish: null,
  closed: null,
  participants: new Map(),
  scenarios: new Map(),
  latest: null,
  tally: emptyTally(),
  lanes: new Map(),
  laneNumbers: new Map(),
  laneByScenario: new Map(),
  recycles: [],
  workerFaults: [],
  stalls: [],
  progress: null,
  attachmentBytes: 0,
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
  errors: null,
  output: null,
  skipReason: null,
  todo: false,
  rerun: null,
  steps: [],
  disposition: null,
  reason: null,
});

// The incidents of a run's lanes and their workers.

export type Lane = {
  /** Unique in the run; the number that the participant uses, unless another one has it. */
  lane: number;
  participant: string | null;
  status: 'running' | 'finished' | 'crashed';
  passes: number;
  uids: readonly string[];
  startedAt: string | null;
  finishedAt: string | null;
  outcomes: number | null;
  processId: number | null;
  purpose: string | null;
};

type Recycle = { resource: string; at: string | null };
export type WorkerFault = {
  lane: number | null;
  fault: string;
  exitCode: number | null;
  standardError: string | null;
  at: string | null;
  participant: string | null;
};
type Stall = {
  uid: string;
  displayName: string;
  inFlightMs: number;
  lane: number | null;
  processId: number | null;
  at: string | null;
  participant: string | null;
};
type Progress = {
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

// Facts about a scenario and its steps besides their verdicts.

type StepProgress = {
  message: string | null;
  row: number | null;
  totalRows: number | null;
  elapsedMs: number | null;
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
  parentStepNumber?: number;
};

type Written = {
  file: string | null;
  line: number | null;
  column: number | null;
  project: string | null;
  path: readonly string[] | null;
  order: number | null;
  tags: readonly string[];
};

export type AttachmentEntry = {
  attempt: number;
  name: string;
  mediaType: string;
  size: number;
  sha256: string;
  /** Whether its content can be read. */
  stored: boolean;
  reason: string | null;
};

/** Releases before 0.3 wrote stamps into the archives as events of this type; ingest ignores them. */
export const stampType = 'console_stamp';

/**
 * The console's own record of a run: who started it and when, when its end arrived, and its late events, which change
 * nothing else.
 */
export type RunStamp = Partial<RunOrigin> & {
  receivedAt?: string;
  endedAt?: string;
  /** The number of all late events so far, including `late`. */
  lateCount?: number;
  late?: readonly object[];
  /** This exists only in archives of earlier releases. */
  ejectedBy?: string;
};

/** The stamp of a run with this headline. */
export const stampOf = ({ receivedAt, publisher, trust, endedAt, late, traceparent }: Noted): RunStamp => ({
  ...(receivedAt !== null && { receivedAt, publisher, trust }),
  ...(traceparent !== undefined && { traceparent }),
  ...(endedAt !== null && { endedAt }),
  ...(late > 0 && { lateCount: late }),
});

type Noted = Pick<Run, 'receivedAt' | 'publisher' | 'trust' | 'endedAt' | 'late' | 'traceparent'>;

/** Reads a stamp from an archive of an earlier release, leaving out damaged members. */
export function readStamp(raw: Record<string, unknown>): RunStamp {
  const { receivedAt, endedAt, publisher, trust, lateCount, ejectedBy } = raw;
  return {
    ...(typeof receivedAt === 'string' && { receivedAt, publisher: typeof publisher === 'string' ? publisher : null }),
    ...((trust === 'named' || trust === 'local' || trust === 'open') && { trust }),
    ...(typeof endedAt === 'string' && { endedAt }),
    ...(typeof lateCount === 'number' && { lateCount }),
    ...(typeof ejectedBy === 'string' && { ejectedBy }),
  };
}

/** The first stamp of each kind counts. */
export function foldStamp(run: Run, { receivedAt, publisher, trust, endedAt, lateCount, traceparent }: RunStamp): void {
  if (receivedAt !== undefined && run.receivedAt === null) {
    if (traceparent !== undefined) run.traceparent = traceparent;
    run.receivedAt = receivedAt;
    run.publisher = publisher ?? null;
    run.trust = trust ?? 'local';
    run.fromBeforeStamps = false;
  }
  run.endedAt ??= endedAt ?? null;
  run.late = Math.max(run.late, lateCount ?? 0);
}
