import type { MonitorEvent, Outcome, StepKind, StepStatus, TouchedType } from './events.ts';
import type { Failure } from './failure.ts';
import type { Test } from './identity.ts';
import { iso } from './iso.ts';
import { lastLines } from './text.ts';

type Loose<E> = E extends MonitorEvent ? Omit<E, 'runId'> : never;
/** An event without its run, which is always the same. */
export type Unaddressed = Loose<MonitorEvent>;

/** How an attempt ended. */
export type Verdict = {
  state: 'passed' | 'failed' | 'skipped' | 'aborted';
  /** Measured by the publisher when left out; null says that nobody knows. */
  durationMs?: number | null;
  failure?: Failure | null;
  /** What the test printed; sent for failures only. */
  output?: readonly string[];
  /** The command that runs this test again. */
  rerun?: string | null;
  touched?: readonly TouchedType[];
};

/** A step on its way. */
export type Step = { stepId: string; kind: StepKind; text: string };

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

/**
 * Who was expected, who is under way, who has a verdict. The publisher keeps this itself, because runners forget the
 * tests of a dead worker: what has no verdict at the end is lost, and a run with lost tests is not green.
 */
export class RunRecord {
  readonly #publish: (event: Unaddressed) => void;
  readonly #entries = new Map<string, Entry>();

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

  expect(tests: readonly Test[]): void {
    for (const test of tests) this.#entry(test);
  }

  /** A test that starts again after its verdict is being retried; not every runner says so beforehand. */
  start(test: Test, attempt?: number): void {
    const entry = this.#entry(test);
    if (entry.state === 'ended') this.#retry(entry);
    const known = entry.state === 'expected' ? 1 : entry.attempt + 1;
    Object.assign(entry, { state: 'open', attempt: attempt ?? known, since: Date.now(), steps: 0, outcome: null });
    const { uid, feature, scenario } = test;
    this.#publish({ type: 'scenario_started', uid, feature, scenario, attempt: entry.attempt, at: iso(entry.since) });
  }

  /** Starts a step and answers its number, which ends it. */
  startStep(test: Test, step: Step): number {
    const entry = this.#entry(test);
    const stepNumber = ++entry.steps;
    const { uid } = test;
    const scenarioElapsedMs = Date.now() - entry.since;
    this.#publish({ type: 'step_started', uid, ...step, attempt: entry.attempt, stepNumber, scenarioElapsedMs });
    return stepNumber;
  }

  endStep(
    test: Test,
    stepId: string,
    stepNumber: number,
    end: {
      status: StepStatus;
      durationMs: number;
      failure?: Failure | null;
      output?: readonly string[];
      rerun?: string | null;
    },
  ): void {
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
      logs: end.output?.length ? lastLines(end.output) : null,
      diagnostics: end.rerun ? { rerun: end.rerun } : null,
      ...(failure && {
        exceptionType: failure.type,
        stackTrace: failure.stack,
        stackFrames: failure.frames,
        cells: failure.cells,
      }),
    });
  }

  /** The verdict of the attempt under way. A test that never started is started first, so that it has its name. */
  end(test: Test, verdict: Verdict): void {
    const before = this.#entry(test);
    if (before.state === 'expected') this.start(test, 1);
    const { failure = null } = verdict;
    const entry = this.#entry(test);
    const { durationMs: given = Date.now() - entry.since } = verdict;
    const durationMs = given === null ? null : Math.max(0, Math.round(given));
    entry.reason = failure?.message.split('\n')[0] ?? 'failed';
    if (failure && (entry.steps === 0 || verdict.rerun)) this.#explain(test, verdict, failure, durationMs ?? 0);
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
      at: iso(Date.now()),
      stackTrace: failure?.stack ?? null,
      file: failure?.file ?? test.file,
      line: failure?.line ?? test.line,
    });
  }

  #retry({ test: { uid }, attempt, reason }: Entry): void {
    const nextAttempt = attempt + 1;
    this.#publish({ type: 'retry_scheduled', uid, nextAttempt, disposition: 'RetryInProcess', reason });
  }

  /** Ends what is still under way, names what was never heard of, and counts. */
  close(why: string): { passed: number; failed: number; passedOnRetry: number; skipped: number; missing: number } {
    const failure: Failure = { message: why, type: null, stack: null, frames: [], file: null, line: null, cells: [] };
    const abandoned = this.open();
    for (const test of abandoned) this.end(test, { state: 'aborted', failure });
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

  /** One step that holds what a framework without steps knows of a failure. */
  #explain(test: Test, { output = [], rerun = null }: Verdict, failure: Failure, durationMs: number): void {
    const number = this.startStep(test, { stepId: 'test', kind: 'Then', text: test.scenario });
    this.endStep(test, 'test', number, { status: 'failed', durationMs, failure, output, rerun });
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
