import { resolve } from 'node:path';
import { Captured } from './captured.ts';
import type {
  Child,
  Duration,
  Envelope,
  Hook,
  Located,
  Pickle,
  PickleStep,
  Position,
  StepResult,
  TestStep,
} from './cucumber-api.ts';
import type { StepKind, StepStatus } from './events.ts';
import { type Failure, failureOf, relativeTo, saidFailure } from './failure.ts';
import { guarded } from './guard.ts';
import { Identities, type Test } from './identity.ts';
import { LaneBook } from './lane-book.ts';
import { Output } from './output.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { fileFrom, quoted } from './rerun.ts';
import { setRunningTest } from './running-test.ts';
import { plain } from './text.ts';
import { deathOf } from './worker-death.ts';

type Case = { test: Test; steps: Map<string, Told> };
type Attempt = Case & {
  lane: number | null;
  worst: string;
  errors: Failure[];
  output: Output;
  durationMs: number;
  startedAt: number;
  numbers: Map<string, number>;
};

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
  readonly #places = new Map<string, Position>();
  readonly #hooks = new Map<string, Hook>();
  readonly #runHooks = new Map<string, Hook>();
  #captured: Captured | null = null;
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
    if (message.hook) this.#hooks.set(message.hook.id, message.hook);
    if (message.testRunHookStarted) this.#startRunHook(message.testRunHookStarted);
    if (message.testRunHookFinished) this.#endRunHook(message.testRunHookFinished);
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
    for (const { id, location } of locatedIn(feature.children)) this.#places.set(id, location);
  }

  /** Cucumber announces every case before the first one runs. */
  #case({ id, pickleId, testSteps }: NonNullable<Envelope['testCase']>): void {
    const pickle = this.#pickles.get(pickleId);
    if (!pickle) return;
    const { line = null, column = null } = this.#places.get(pickle.astNodeIds.at(-1) ?? '') ?? {};
    const test = this.#names.make({
      file: relativeTo(this.#publisher.root, pickle.uri),
      feature: this.#features.get(pickle.uri) ?? pickle.uri,
      titles: [pickle.name],
      line,
      column,
      tags: (pickle.tags ?? []).map(({ name }) => name),
    });
    const firstStep = testSteps.findIndex(({ pickleStepId }) => pickleStepId !== undefined);
    const steps = new Map(
      testSteps.map((step, at) => [step.id, describe(step, pickle, this.#hooks, at > firstStep)] as const),
    );
    this.#cases.set(id, { test, steps });
    this.#publisher.expect([test]);
  }

  #start({ id, testCaseId, attempt, workerId }: NonNullable<Envelope['testCaseStarted']>): void {
    const known = this.#cases.get(testCaseId);
    if (!known) return;
    const lane = workerId === undefined ? null : Number(workerId);
    if (lane !== null) this.#lane(lane, known.test);
    else {
      const { file, path } = known.test;
      setRunningTest({ file: resolve(this.#publisher.root, file ?? ''), name: path?.join(' ') ?? '' });
      this.#captured ??= new Captured();
    }
    this.#attempts.set(id, {
      ...known,
      lane,
      worst: 'UNKNOWN',
      errors: [],
      output: new Output(),
      durationMs: 0,
      startedAt: Date.now(),
      numbers: new Map(),
    });
    this.#publisher.start(known.test, attempt + 1);
  }

  #lane(lane: number, test: Test): void {
    if (!this.#lanes.has(lane)) {
      this.#lanes.add(lane);
      this.#publisher.startWorker(lane, 'Lane', null);
      this.#passes.start(lane);
    }
    this.#passes.add(lane, test);
  }

  #startStep({ testCaseStartedId, testStepId }: NonNullable<Envelope['testStepStarted']>): void {
    const attempt = this.#attempts.get(testCaseStartedId);
    const step = attempt?.steps.get(testStepId);
    if (!attempt || !step) return;
    attempt.numbers.set(testStepId, this.#publisher.startStep(attempt.test, step));
    // Output of the formatters for the same message does not belong to the step.
    if (attempt.lane === null) queueMicrotask(() => this.#captured?.begin());
  }

  #endStep({ testCaseStartedId, testStepId, testStepResult }: NonNullable<Envelope['testStepFinished']>): void {
    const attempt = this.#attempts.get(testCaseStartedId);
    const step = attempt?.steps.get(testStepId);
    if (!attempt || !step) return;
    for (const part of this.#captured?.end() ?? []) {
      if (typeof part !== 'string') attempt.output.add(part.text, part.stream, part.atMs);
    }
    const { status, duration } = testStepResult;
    const failed = status === 'FAILED';
    const failure =
      status === 'PASSED' || status === 'SKIPPED' ? null : failureIn(testStepResult, step.stepId, this.#publisher.root);
    if (order.indexOf(status) > order.indexOf(attempt.worst)) attempt.worst = status;
    if (failure) attempt.errors.push(failure);
    attempt.durationMs += msOf(duration);
    this.#publisher.endStep(attempt.test, step.stepId, attempt.numbers.get(testStepId) ?? 0, {
      status: statuses[status] ?? 'failed',
      durationMs: msOf(duration),
      failure,
      output: failed ? attempt.output.parts() : [],
      rerun: failed ? this.#rerun(attempt.test) : null,
    });
  }

  #attach(attachment: NonNullable<Envelope['attachment']>): void {
    const { testCaseStartedId = '', body, mediaType, contentEncoding, fileName } = attachment;
    const attempt = this.#attempts.get(testCaseStartedId);
    if (!attempt) return;
    if (mediaType === 'text/x.cucumber.log+plain') {
      attempt.output.add(`${body}\n`);
      return;
    }
    const content = contentEncoding === 'BASE64' ? Buffer.from(body, 'base64') : body;
    this.#publisher.attach(attempt.test, { name: fileName ?? mediaType, mediaType, body: content });
  }

  #end({ testCaseStartedId }: NonNullable<Envelope['testCaseFinished']>): void {
    const attempt = this.#attempts.get(testCaseStartedId);
    if (!attempt) return;
    this.#attempts.delete(testCaseStartedId);
    setRunningTest(null);
    const { worst, errors, durationMs, test, output } = attempt;
    const state = stateOf(worst);
    this.#publisher.end(test, {
      state,
      durationMs,
      startedAtMs: attempt.startedAt,
      errors: state === 'failed' ? errors : [],
      output: output.take(),
      rerun: state === 'failed' ? this.#rerun(test) : null,
      skipReason: worst === 'PENDING' ? (errors[0]?.message ?? null) : null,
      todo: worst === 'PENDING',
    });
  }

  #rerun(test: Test): string {
    return `npx cucumber-js ${quoted(`${fileFrom({ publisher: this.#publisher }, test.file)}:${test.line}`)}`;
  }

  #startRunHook({ id, hookId }: NonNullable<Envelope['testRunHookStarted']>): void {
    const hook = this.#hooks.get(hookId);
    if (hook) this.#runHooks.set(id, hook);
  }

  /** BeforeAll and AfterAll belong to no scenario. */
  #endRunHook({ testRunHookStartedId, result }: NonNullable<Envelope['testRunHookFinished']>): void {
    const hook = this.#runHooks.get(testRunHookStartedId);
    if (!hook || result.status !== 'FAILED') return;
    const { uri = '', location } = hook.sourceReference ?? {};
    const { root } = this.#publisher;
    const test = this.#names.make({
      file: relativeTo(root, uri),
      titles: [hookText(hook)],
      line: location?.line ?? null,
    });
    this.#publisher.end(test, { state: 'failed', errors: [failureIn(result, hookText(hook), root)] });
  }

  /** A dead worker is never replaced: the test it was running is its victim, and its remaining tests do not run. */
  #finish({ success }: NonNullable<Envelope['testRunFinished']>): void {
    this.success = success;
    this.#captured?.stop();
    for (const { test, lane } of this.#attempts.values()) {
      const fault = deathOf({ file: test.file ?? '', victims: [test], lost: 1, cause: 'it exited without a reason' });
      this.#publisher.fault(lane, fault);
      this.#publisher.end(test, { state: 'aborted', failure: saidFailure(fault) });
      if (lane !== null) this.#passes.end(lane, true);
    }
    this.#passes.endAll();
  }
}

export type Context = { on(event: 'message', handler: (message: Envelope) => void): void };

/** Follows a run by its messages; the returned function ends it. */
export function followCucumber({ on }: Context): () => Promise<void> {
  const publisher = createPublisher({ tool: 'cucumber' });
  const run = guarded(() => new CucumberRun(publisher), null);
  on('message', (message) => {
    if (publisher.alive) guarded(() => run?.take(message), undefined);
  });
  return () => publisher.close({ failed: run?.success === false });
}

/** The Cucumber plugin: `plugin: ['signalbox-publisher/cucumber']` in the configuration. */
const signalboxPlugin = { type: 'plugin' as const, coordinator: followCucumber };
export default signalboxPlugin;

type Told = { stepId: string; text: string; kind: StepKind };

const kinds: Record<string, StepKind> = { Context: 'Given', Action: 'When', Outcome: 'Then' };
/** Only scenarios that request it count as skipped; pending and undefined ones are still to do. */
function stateOf(worst: string): 'passed' | 'failed' | 'skipped' {
  if (worst === 'PASSED' || worst === 'UNKNOWN') return 'passed';
  return worst === 'SKIPPED' || worst === 'PENDING' ? 'skipped' : 'failed';
}

const hookKinds: Record<string, string> = {
  BEFORE_TEST_RUN: 'BeforeAll',
  AFTER_TEST_RUN: 'AfterAll',
  BEFORE_TEST_CASE: 'Before',
  AFTER_TEST_CASE: 'After',
  BEFORE_TEST_STEP: 'BeforeStep',
  AFTER_TEST_STEP: 'AfterStep',
};
const hookText = ({ type = '', name }: Hook, otherwise = 'Hook'): string =>
  `${hookKinds[type] ?? otherwise}${name ? `: ${name}` : ''}`;

function describe(
  { pickleStepId, hookId = '' }: TestStep,
  pickle: Pickle,
  hooks: ReadonlyMap<string, Hook>,
  isAfter: boolean,
): Told {
  const step = pickle.steps.find((candidate) => candidate.id === pickleStepId);
  if (step) return { stepId: step.text, text: withArgument(step), kind: kinds[step.type ?? ''] ?? 'Given' };
  const text = hookText(hooks.get(hookId) ?? { id: hookId }, isAfter ? 'After' : 'Before');
  return { stepId: text, text, kind: isAfter ? 'TearDown' : 'SetUp' };
}

/** A step with the text or table that belongs to it. */
function withArgument({ text, argument: { docString, dataTable } = {} }: PickleStep): string {
  const rows = (dataTable?.rows ?? []).map(({ cells }) => `| ${cells.map(({ value }) => value).join(' | ')} |`);
  const doc = docString ? ['"""', docString.content, '"""'] : [];
  return plain([text, ...doc, ...rows].join('\n'), 8_000);
}

function failureIn({ status, message, exception }: StepResult, step: string, folder: string): Failure {
  if (status !== 'FAILED') return failureOf(`The step "${step}" is ${status.toLowerCase()}.`, folder);
  const stack = exception?.stackTrace ?? message ?? '';
  return failureOf({ name: exception?.type, message: exception?.message ?? message?.split('\n')[0], stack }, folder);
}

const locatedIn = (children: readonly Child[]): Located[] =>
  children.flatMap(({ scenario, rule }) => [
    ...(scenario ? [scenario, ...(scenario.examples ?? []).flatMap((examples) => examples.tableBody ?? [])] : []),
    ...(rule ? locatedIn(rule.children) : []),
  ]);
