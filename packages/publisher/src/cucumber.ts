import { resolve } from 'node:path';
import type { StepKind, StepStatus } from './events.ts';
import { type Failure, failureOf } from './failure.ts';
import { guarded } from './guard.ts';
import { Identities, type Test } from './identity.ts';
import { LaneBook } from './lane-book.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { quoted } from './rerun.ts';
import { setRunningTest } from './running-test.ts';
import { deathOf } from './worker-death.ts';

// The parts of the Cucumber messages that are used.
type Duration = { seconds: number; nanos: number };
type Pickle = { id: string; uri: string; name: string; astNodeIds: readonly string[]; steps: readonly PickleStep[] };
type PickleStep = { id: string; text: string; type?: string };
type TestStep = { id: string; pickleStepId?: string; hookId?: string };
type StepResult = {
  status: string;
  message?: string;
  duration: Duration;
  exception?: { type: string; message?: string; stackTrace?: string };
};
type Located = { id: string; location: { line: number } };
type Scenario = Located & { examples?: readonly { tableBody?: readonly Located[] }[] };
type Child = { scenario?: Scenario; rule?: { children: readonly Child[] } };
type Envelope = {
  gherkinDocument?: { uri: string; feature?: { name: string; children: readonly Child[] } };
  pickle?: Pickle;
  testRunStarted?: object;
  testCase?: { id: string; pickleId: string; testSteps: readonly TestStep[] };
  testCaseStarted?: { id: string; testCaseId: string; attempt: number; workerId?: string };
  testStepStarted?: { testCaseStartedId: string; testStepId: string };
  testStepFinished?: { testCaseStartedId: string; testStepId: string; testStepResult: StepResult };
  attachment?: { testCaseStartedId?: string; body: string; mediaType: string };
  testCaseFinished?: { testCaseStartedId: string; willBeRetried: boolean };
  testRunFinished?: { success: boolean };
};

type Case = { test: Test; steps: Map<string, { text: string; kind: StepKind }> };
type Attempt = Case & {
  lane: number | null;
  worst: string;
  failure: Failure | null;
  output: string[];
  durationMs: number;
  numbers: Map<string, number>;
};

const kinds: Record<string, StepKind> = { Context: 'Given', Action: 'When', Outcome: 'Then' };
const statuses: Record<string, StepStatus> = {
  PASSED: 'ok',
  SKIPPED: 'missing',
  PENDING: 'missing',
  UNDEFINED: 'missing',
  AMBIGUOUS: 'invalid',
};
const order = ['UNKNOWN', 'PASSED', 'SKIPPED', 'PENDING', 'UNDEFINED', 'AMBIGUOUS', 'FAILED'];
const msOf = ({ seconds, nanos }: Duration) => seconds * 1000 + nanos / 1e6;

class CucumberRun {
  readonly #publisher: Publisher;
  readonly #passes: LaneBook;
  readonly #names = new Identities();
  readonly #features = new Map<string, string>();
  readonly #lines = new Map<string, number>();
  readonly #pickles = new Map<string, Pickle>();
  readonly #cases = new Map<string, Case>();
  readonly #attempts = new Map<string, Attempt>();
  readonly #lanes = new Set<number>();
  success = true;

  constructor(publisher: Publisher) {
    this.#publisher = publisher;
    this.#passes = new LaneBook(publisher);
    publisher.begin();
  }

  take(message: Envelope): void {
    if (message.gherkinDocument) this.#document(message.gherkinDocument);
    if (message.pickle) this.#pickles.set(message.pickle.id, message.pickle);
    if (message.testCase) this.#case(message.testCase);
    if (message.testCaseStarted) this.#start(message.testCaseStarted);
    if (message.testStepStarted) this.#startStep(message.testStepStarted);
    if (message.testStepFinished) this.#endStep(message.testStepFinished);
    if (message.attachment) this.#attach(message.attachment);
    if (message.testCaseFinished) this.#end(message.testCaseFinished);
    if (message.testRunFinished) this.#finish(message.testRunFinished);
  }

  #document({ uri, feature }: NonNullable<Envelope['gherkinDocument']>): void {
    if (!feature) return;
    this.#features.set(uri, feature.name);
    for (const { id, location } of locatedIn(feature.children)) this.#lines.set(id, location.line);
  }

  /** Cucumber tells every case before the first one runs. */
  #case({ id, pickleId, testSteps }: NonNullable<Envelope['testCase']>): void {
    const pickle = this.#pickles.get(pickleId);
    if (!pickle) return;
    const line = this.#lines.get(pickle.astNodeIds.at(-1) ?? '') ?? null;
    const named = this.#names.make(this.#features.get(pickle.uri) ?? pickle.uri, [pickle.name], line);
    const test = { ...named, file: pickle.uri };
    const steps = new Map(testSteps.map((step) => [step.id, describe(step, pickle)]));
    this.#cases.set(id, { test, steps });
    this.#publisher.expect([test]);
  }

  #start({ id, testCaseId, attempt, workerId }: NonNullable<Envelope['testCaseStarted']>): void {
    const known = this.#cases.get(testCaseId);
    if (!known) return;
    const lane = workerId === undefined ? null : Number(workerId);
    if (lane !== null) this.#lane(lane, known.test);
    else setRunningTest({ file: resolve(this.#publisher.folder, known.test.file ?? ''), name: known.test.scenario });
    this.#attempts.set(id, {
      ...known,
      lane,
      worst: 'UNKNOWN',
      failure: null,
      output: [],
      durationMs: 0,
      numbers: new Map(),
    });
    this.#publisher.start(known.test, attempt + 1);
  }

  #lane(lane: number, test: Test): void {
    if (!this.#lanes.has(lane)) {
      this.#lanes.add(lane);
      this.#publisher.publish({
        type: 'worker_started',
        lane,
        purpose: 'Lane',
        processId: null,
        at: new Date().toISOString(),
      });
      this.#passes.start(lane);
    }
    this.#passes.add(lane, test);
  }

  #startStep({ testCaseStartedId, testStepId }: NonNullable<Envelope['testStepStarted']>): void {
    const attempt = this.#attempts.get(testCaseStartedId);
    const step = attempt?.steps.get(testStepId);
    if (!attempt || !step) return;
    const { text, kind } = step;
    attempt.numbers.set(testStepId, this.#publisher.startStep(attempt.test, { stepId: text, kind, text }));
  }

  #endStep({ testCaseStartedId, testStepId, testStepResult }: NonNullable<Envelope['testStepFinished']>): void {
    const attempt = this.#attempts.get(testCaseStartedId);
    const step = attempt?.steps.get(testStepId);
    if (!attempt || !step) return;
    const { status, duration } = testStepResult;
    const failed = status === 'FAILED';
    const failure =
      status === 'PASSED' || status === 'SKIPPED' ? null : failureIn(testStepResult, step.text, this.#publisher.folder);
    if (order.indexOf(status) > order.indexOf(attempt.worst)) attempt.worst = status;
    attempt.failure ??= failure;
    attempt.durationMs += msOf(duration);
    this.#publisher.endStep(attempt.test, step.text, attempt.numbers.get(testStepId) ?? 0, {
      status: statuses[status] ?? 'failed',
      durationMs: msOf(duration),
      failure,
      output: failed ? attempt.output : [],
      rerun: failed ? `npx cucumber-js ${quoted(`${attempt.test.file}:${attempt.test.line}`)}` : null,
    });
  }

  #attach({ testCaseStartedId = '', body, mediaType }: NonNullable<Envelope['attachment']>): void {
    if (mediaType === 'text/x.cucumber.log+plain') this.#attempts.get(testCaseStartedId)?.output.push(body);
  }

  #end({ testCaseStartedId }: NonNullable<Envelope['testCaseFinished']>): void {
    const attempt = this.#attempts.get(testCaseStartedId);
    if (!attempt) return;
    this.#attempts.delete(testCaseStartedId);
    setRunningTest(null);
    const { worst, failure, durationMs, test } = attempt;
    const state =
      worst === 'PASSED' || worst === 'UNKNOWN'
        ? 'passed'
        : worst === 'SKIPPED' || worst === 'PENDING'
          ? 'skipped'
          : 'failed';
    this.#publisher.end(test, { state, durationMs, failure: state === 'failed' ? failure : null });
  }

  /** A worker that is gone is never replaced: what it was running is its victim, and what is left nobody will run. */
  #finish({ success }: NonNullable<Envelope['testRunFinished']>): void {
    this.success = success;
    for (const { test, lane } of this.#attempts.values()) {
      const fault = deathOf({ file: test.file ?? '', victims: [test], lost: 1, cause: 'it left without a word' });
      this.#publisher.fault(lane, fault);
      this.#publisher.end(test, { state: 'aborted', failure: failureOf(fault, this.#publisher.folder) });
      if (lane !== null) this.#passes.end(lane, true);
    }
    this.#passes.endAll();
  }
}

const locatedIn = (children: readonly Child[]): Located[] =>
  children.flatMap(({ scenario, rule }) => [
    ...(scenario ? [scenario, ...(scenario.examples ?? []).flatMap((examples) => examples.tableBody ?? [])] : []),
    ...(rule ? locatedIn(rule.children) : []),
  ]);

function describe({ pickleStepId }: TestStep, pickle: Pickle): { text: string; kind: StepKind } {
  const step = pickle.steps.find((candidate) => candidate.id === pickleStepId);
  return step ? { text: step.text, kind: kinds[step.type ?? ''] ?? 'Given' } : { text: 'Hook', kind: 'SetUp' };
}

function failureIn({ status, message, exception }: StepResult, step: string, folder: string): Failure {
  if (status !== 'FAILED') return failureOf(`The step "${step}" is ${status.toLowerCase()}.`, folder);
  const stack = exception?.stackTrace ?? message ?? '';
  return failureOf({ name: exception?.type, message: exception?.message ?? message?.split('\n')[0], stack }, folder);
}

type Context = { on(event: 'message', handler: (message: Envelope) => void): void };

/** The Cucumber plugin: `plugin: ['signalbox-publisher/cucumber']` in the configuration. */
const signalboxPlugin = {
  type: 'plugin' as const,
  coordinator({ on }: Context): () => Promise<void> {
    const publisher = createPublisher({ tool: 'cucumber' });
    const run = guarded(() => new CucumberRun(publisher), null);
    on('message', (message) => {
      if (publisher.alive) guarded(() => run?.take(message), undefined);
    });
    return () => publisher.close({ failed: run?.success === false });
  },
};
export default signalboxPlugin;
