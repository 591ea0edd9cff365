import type { MonitorEvent, Outcome, StepKind, StepStatus, TouchedType } from './events.ts';
import { errorDetail, type Failure, saidFailure } from './failure.ts';
import type { Test } from './identity.ts';
import { iso } from './iso.ts';
import { logLines, type Printed, printedMembers } from './output.ts';

type Loose<E> = E extends MonitorEvent ? Omit<E, 'runId'> : never;
/** An event without its run, which is always the same. */
export type Unaddressed = Loose<MonitorEvent>;

/** How an attempt ended. */
export type Verdict = {
  state: 'passed' | 'failed' | 'skipped' | 'aborted';
  /** Measured by the publisher if omitted; null means unknown. */
  durationMs?: number | null;
  /** When the attempt really began, in milliseconds since 1970, if the runner reports it late. */
  startedAtMs?: number | null;
  failure?: Failure | null;
  /** All failures, if there is more than one; the first is `failure`. */
  errors?: readonly Failure[];
  /** The output of the attempt. */
  output?: readonly Printed[];
  /** The command that runs this test again. */
  rerun?: string | null;
  touched?: readonly TouchedType[];
  skipReason?: string | null;
  todo?: boolean;
};

/** A running step. */
export type Step = { stepId: string; kind: StepKind; text: string; parentStepNumber?: number | null };

type StepEnd = {
  status: StepStatus;
  durationMs: number;
  failure?: Failure | null;
  output?: readonly Printed[];
  rerun?: string | null;
};

type Entry = {
  test: Test;
  state: 'expected' | 'open' | 'ended';
  attempt: number;
  since: number;
  steps: number;
  outcome: Outcome | null;
  reason: string;
};

const outcomeOf = (state: Verdict['state'], attempt: number): Outcome => {
  if (state === 'passed') return attempt > 1 ? 'PassOnRetry' : 'CleanPass';
  return state === 'failed' ? 'Failed' : state === 'skipped' ? 'Skipped' : 'Aborted';
};

/** Limit for the output of all passed tests together; output of failed tests is always sent. */
const quietOutput = 8_000_000;

/**
 * Which tests are expected, running, or have a verdict. The publisher keeps this itself, because runners forget the
 * tests of a dead worker: tests without a verdict at the end are lost, and a run with lost tests is not green.
 */
export class RunRecord {
  readonly #publish: (event: Unaddressed) => void;
  readonly #entries = new Map<string, Entry>();
  #printed = 0;

  constructor(publish: (event: Unaddressed) => void) {
    this.#publish = publish;
  }

  get total(): number {
    return this.#entries.size;
  }

  /** Tests under way, oldest first. */
  open(): Test[] {
    return this.#in('open').map((entry) => entry.test);
  }

  /** Whether a test has its verdict. */
  ended(uid: string): boolean {
    return this.#entries.get(uid)?.state === 'ended';
  }

  /** The running attempt of a test, or its last one. */
  attemptOf(uid: string): number {
    return this.#entries.get(uid)?.attempt ?? 1;
  }

  expect(tests: readonly Test[]): void {
    for (const test of tests) this.#entry(test);
  }

  /** A test that starts again after its verdict is a retry; not every runner announces it. */
  start(test: Test, attempt?: number): void {
    const entry = this.#entry(test);
    if (entry.state === 'ended') this.#retry(entry);
    const known = entry.state === 'expected' ? 1 : entry.attempt + 1;
    Object.assign(entry, { state: 'open', attempt: attempt ?? known, since: Date.now(), steps: 0, outcome: null });
    const { uid, feature, scenario } = test;
    const at = iso(entry.since);
    this.#publish({ type: 'scenario_started', uid, feature, scenario, attempt: entry.attempt, at, ...written(test) });
  }

  /** Starts a step and returns its number, which ends it. */
  startStep(test: Test, step: Step): number {
    const entry = this.#entry(test);
    const stepNumber = ++entry.steps;
    const { uid } = test;
    const scenarioElapsedMs = Date.now() - entry.since;
    this.#publish({ type: 'step_started', uid, ...step, attempt: entry.attempt, stepNumber, scenarioElapsedMs });
    return stepNumber;
  }

  endStep(test: Test, stepId: string, stepNumber: number, end: StepEnd): void {
    const entry = this.#entry(test);
    const { failure = null, status } = end;
    this.#publish({
      type: 'step_finished',
      uid: test.uid,
      stepId,
      attempt: entry.attempt,
      stepNumber,
      status,
      durationMs: Math.max(0, Math.round(end.durationMs)),
      errorMessage: failure?.message ?? null,
      scenarioElapsedMs: Date.now() - entry.since,
      logs: logLines(end.output ?? []),
      diagnostics: end.rerun ? { rerun: end.rerun } : null,
      ...(failure && {
        exceptionType: failure.type,
        stackTrace: failure.stack,
        stackFrames: failure.frames,
        cells: failure.cells,
      }),
    });
  }

  /** Records the verdict of the running attempt. A test that never started is started first, so that its name is sent. */
  end(test: Test, verdict: Verdict): void {
    const before = this.#entry(test);
    if (before.state === 'expected') this.start(test, 1);
    const errors = verdict.errors ?? (verdict.failure ? [verdict.failure] : []);
    const [failure = null] = errors;
    const entry = this.#entry(test);
    const { durationMs: given = Date.now() - entry.since, startedAtMs = null } = verdict;
    const durationMs = given === null ? null : Math.max(0, Math.round(given));
    entry.reason = failure?.message.split('\n')[0] ?? 'failed';
    // Measured by the clock of the steps; without steps, by the clock of the runner.
    const since = entry.steps > 0 ? entry.since : (startedAtMs ?? entry.since);
    if (failure && entry.steps === 0) this.#explain(test, verdict, failure, durationMs ?? 0);
    entry.state = 'ended';
    entry.outcome = outcomeOf(verdict.state, entry.attempt);
    this.#publish({
      type: 'scenario_finished',
      uid: test.uid,
      outcome: entry.outcome,
      attempts: entry.attempt,
      durationMs,
      errorMessage: failure?.message ?? null,
      touchedTypes: verdict.touched?.length ? verdict.touched : null,
      at: iso(startedAtMs === null || given === null ? Date.now() : Math.round(startedAtMs + given)),
      ...(startedAtMs !== null && { startedAt: iso(Math.round(startedAtMs)) }),
      stackTrace: failure?.stack ?? null,
      file: test.file,
      line: test.line,
      ...(errors.length > 0 && { errors: errors.map(errorDetail) }),
      ...(verdict.skipReason && { skipReason: verdict.skipReason }),
      ...(verdict.todo && { todo: true }),
      ...(verdict.rerun && { rerun: verdict.rerun }),
      ...this.#printedBy(verdict, since),
    });
  }

  #retry({ test: { uid }, attempt, reason }: Entry): void {
    const nextAttempt = attempt + 1;
    this.#publish({ type: 'retry_scheduled', uid, nextAttempt, disposition: 'RetryInProcess', reason });
  }

  /** Ends running tests, reports tests that never started, and counts. */
  close(why: string): { passed: number; failed: number; passedOnRetry: number; skipped: number; missing: number } {
    const abandoned = this.open();
    for (const test of abandoned) this.end(test, { state: 'aborted', failure: saidFailure(why) });
    const lost = this.#in('expected');
    for (const { test } of lost) this.start(test, 1);
    const count = (...outcomes: Outcome[]) =>
      this.#in('ended').filter((entry) => entry.outcome !== null && outcomes.includes(entry.outcome)).length;
    return {
      passed: count('CleanPass'),
      failed: count('Failed', 'Aborted'),
      passedOnRetry: count('PassOnRetry'),
      skipped: count('Skipped'),
      missing: abandoned.length + lost.length,
    };
  }

  /** One step with the failure, for frameworks without steps. */
  #explain(test: Test, { output = [], rerun = null }: Verdict, failure: Failure, durationMs: number): void {
    const number = this.startStep(test, { stepId: 'test', kind: 'Then', text: test.scenario });
    this.endStep(test, 'test', number, { status: 'failed', durationMs, failure, output, rerun });
  }

  #printedBy({ output = [], state }: Verdict, since: number) {
    const printed = printedMembers(output, since);
    const size = [...(printed.stdout ?? []), ...(printed.stderr ?? [])].reduce((sum, line) => sum + line.length, 0);
    if (state !== 'failed' && state !== 'aborted') {
      if (this.#printed + size > quietOutput) return {};
      this.#printed += size;
    }
    return printed;
  }

  #entry(test: Test): Entry {
    const known = this.#entries.get(test.uid);
    if (known) return known;
    const entry: Entry = {
      test,
      state: 'expected',
      attempt: 1,
      since: Date.now(),
      steps: 0,
      outcome: null,
      reason: '',
    };
    this.#entries.set(test.uid, entry);
    return entry;
  }

  #in(state: Entry['state']): Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.state === state);
  }
}

/** The known parts of a test's location; unknown members are omitted. */
function written({ file, line, column, project, path, order, tags }: Test) {
  return {
    ...(file !== null && { file }),
    ...(line !== null && { line }),
    ...(column && { column }),
    ...(project && { project }),
    ...(path && { path }),
    ...(order && { order }),
    ...(tags && tags.length > 0 && { tags }),
  };
}
