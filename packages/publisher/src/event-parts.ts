// Parts shared by several monitor events. Types only.

/** How one scenario ended. A pass after a failed attempt is never a clean pass. */
export type Outcome = 'CleanPass' | 'PassOnRetry' | 'Failed' | 'Aborted' | 'Skipped';
/** How one step or cell ended. */
export type StepStatus = 'ok' | 'success' | 'failed' | 'error' | 'missing' | 'invalid';
/** The purpose of a step. */
export type StepKind = 'Given' | 'When' | 'Then' | 'SetUp' | 'TearDown';
/** Why an attempt is followed by another. */
export type Disposition = 'RetryInProcess' | 'RetryInFreshProcess' | 'RetryAfterRecycle';
/** Why a worker was started. */
export type WorkerPurpose = 'Lane' | 'Isolated' | 'Recycled';

/** A step as the author wrote it. */
export type DeclaredStep = { keyword: string; text: string };
/** A step as the runner plans to run it. */
export type PlannedStep = { keyword: string; template: string; grammar: string; declaredStepNumber?: number | null };
/** The position of an input value in a step's text. */
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
/** A table that a scenario produces. */
export type Report = {
  title: string;
  columns: readonly string[];
  cells: readonly Cell[];
  shortTitle?: string | null;
  suppressedRows: number;
};

export type StepKey = { uid: string; stepId: string; attempt?: number | null; stepNumber?: number | null };
export type Place = { stackTrace?: string | null; file?: string | null; line?: number | null };
/** The process that runs the test, if several publish one run. */
export type Participating = { participant?: string | null };

/** A place in the sources; the file is relative to the repository. */
export type SourcePlace = { file?: string | null; line?: number | null; column?: number | null };
/** Some lines of source around the place of an error, the first of them numbered `start`. */
export type SourceFrame = { start?: number | null; lines?: readonly string[] | null };
/** One error of a test, a hook or a file. `expected` and `actual` are texts with their line breaks. */
export type ErrorDetail = {
  message?: string | null;
  name?: string | null;
  stack?: string | null;
  expected?: string | null;
  actual?: string | null;
  /** The errors behind this one, outermost first. */
  cause?: string | null;
  place?: SourcePlace | null;
  frame?: SourceFrame | null;
};
/** The identity of a test, and where it is written. */
export type Written = {
  /** Relative to the repository. */
  file?: string | null;
  line?: number | null;
  column?: number | null;
  project?: string | null;
  path?: readonly string[] | null;
  /** Its position among the tests of its file. */
  order?: number | null;
  tags?: readonly string[] | null;
  skipReason?: string | null;
  todo?: boolean | null;
};
/** The output of an attempt, as lines, and the time of each line, in milliseconds since the attempt began. */
export type PrintedLines = {
  stdout?: readonly string[] | null;
  stderr?: readonly string[] | null;
  stdoutMs?: readonly number[] | null;
  stderrMs?: readonly number[] | null;
};
/** An event of one type, with its run. */
export type Event<Type extends string, Members> = { type: Type; runId: string } & Members;
