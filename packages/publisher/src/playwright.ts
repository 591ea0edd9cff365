import { dirname } from 'node:path';
import type { StepKind } from './events.ts';
import { type Failure, failureOf, failuresOf, relativeTo } from './failure.ts';
import { guardAll } from './guard.ts';
import { Identities, type Test } from './identity.ts';
import { LaneBook } from './lane-book.ts';
import { Output } from './output.ts';
import { createPublisher, type PublisherOptions } from './publisher.ts';
import { fileFrom, pattern, quoted } from './rerun.ts';
import { deathOf } from './worker-death.ts';

// The parts of Playwright's reporter API that are used.
type Location = { file: string; line: number; column?: number };
type TestError = { message?: string; stack?: string; value?: string; location?: Location; cause?: TestError };
type Annotation = { type: string; description?: string };
type Attached = { name: string; contentType: string; path?: string; body?: Uint8Array };
type TestCase = {
  id: string;
  title: string;
  location: Location;
  expectedStatus: string;
  tags?: readonly string[];
  annotations?: readonly Annotation[];
  titlePath(): string[];
};
type Result = {
  retry: number;
  parallelIndex: number;
  workerIndex: number;
  status: string;
  duration: number;
  startTime?: Date;
  errors: TestError[];
  attachments?: readonly Attached[];
  annotations?: readonly Annotation[];
};
type Step = { title: string; category: string; duration: number; error?: TestError; parent?: Step };
type Config = { rootDir: string; configFile?: string };
type Numbered = { stepId: string; number: number };

const deadWorker = /worker process exited unexpectedly/;
const stepsShown = 200;

function createRun(config: Config, options: PublisherOptions) {
  const folder = config.configFile ? dirname(config.configFile) : process.cwd();
  const publisher = createPublisher({ tool: 'playwright', mode: 'supervised', folder, ...options });
  const passes = new LaneBook(publisher);
  const steps = new Map<Step, Numbered>();
  return {
    publisher,
    passes,
    steps,
    names: new Identities(),
    tests: new Map<string, Test>(),
    printed: new Map<string, Output>(),
    workers: new Map<number, number>(),
  };
}
type Run = ReturnType<typeof createRun>;

/** Titles are: nothing, project, file, suites, test. */
function testOf(run: Run, test: TestCase): Test {
  const known = run.tests.get(test.id);
  if (known) return known;
  const [, project = '', , ...titles] = test.titlePath();
  const { file, line, column = null } = test.location;
  const made = run.names.make({
    file: relativeTo(run.publisher.root, file),
    titles,
    project: project || null,
    line,
    column,
    tags: test.tags ?? [],
  });
  run.tests.set(test.id, made);
  return made;
}

/** Playwright gives a lane a fresh worker after each failure; that is a recycle, not a fault. */
function workerOf(run: Run, { parallelIndex, workerIndex }: Result): void {
  const before = run.workers.get(parallelIndex);
  if (before === workerIndex) return;
  run.workers.set(parallelIndex, workerIndex);
  if (before !== undefined) run.passes.end(parallelIndex);
  run.publisher.startWorker(parallelIndex, before === undefined ? 'Lane' : 'Recycled', workerIndex);
  run.passes.start(parallelIndex);
}

function started(run: Run, testCase: TestCase, result: Result): void {
  const test = testOf(run, testCase);
  workerOf(run, result);
  run.passes.add(result.parallelIndex, test);
  run.publisher.start(test, result.retry + 1);
}

function ended(run: Run, testCase: TestCase, result: Result): void {
  const test = testOf(run, testCase);
  const output = run.printed.get(testCase.id)?.take() ?? [];
  run.printed.delete(testCase.id);
  const failed = result.status !== 'skipped' && result.status !== testCase.expectedStatus;
  const errors = failed ? errorsIn(run, testCase, result) : [];
  const lane = result.parallelIndex;
  const dead = failed && result.errors.some((error) => deadWorker.test(error.message ?? ''));
  if (dead) {
    const cause = errors[0]?.message ?? '';
    run.publisher.fault(lane, deathOf({ file: test.file ?? '', victims: [test], lost: 0, cause }));
  }
  run.publisher.end(test, {
    state: stateOf(result, failed, dead),
    durationMs: result.duration,
    startedAtMs: result.startTime?.getTime() ?? null,
    errors,
    output,
    rerun: failed ? rerunOf(run, test, testCase.title) : null,
    ...skipOf(testCase, result),
  });
  for (const { contentType, ...left } of result.attachments ?? []) {
    run.publisher.attach(test, { ...left, mediaType: contentType });
  }
  if (dead) run.passes.end(lane, true);
}

function stateOf({ status }: Result, failed: boolean, dead: boolean) {
  if (status === 'skipped') return 'skipped';
  if (!failed) return 'passed';
  return dead || status === 'interrupted' ? 'aborted' : 'failed';
}

/** A test that was expected to fail and passed is a failure without a thrown error. */
function errorsIn(run: Run, testCase: TestCase, result: Result): Failure[] {
  const { root } = run.publisher;
  if (result.status === 'passed' && testCase.expectedStatus === 'failed') {
    const why = testCase.annotations?.find(({ type }) => type === 'fail')?.description;
    return [failureOf(`It was expected to fail${why ? ` (${why})` : ''}, but it passed.`, root)];
  }
  const thrown = result.errors.length > 0 ? result.errors : [{ message: `The test ${result.status}.` }];
  return thrown.flatMap((error) => failuresIn(run, error, testCase));
}

/** A test that was skipped without being marked as skipped did not run because something before it failed. */
function skipOf({ expectedStatus, annotations = [] }: TestCase, result: Result) {
  if (result.status !== 'skipped') return {};
  const said = [...(result.annotations ?? []), ...annotations].find(({ type }) => type === 'skip' || type === 'fixme');
  const kept = expectedStatus === 'skipped' ? null : 'not run: a dependency failed';
  return { skipReason: said?.description ?? kept, todo: said?.type === 'fixme' };
}

const rerunOf = (run: Run, { file, line, project }: Test, title: string) => {
  const only = project ? ` --project ${quoted(project)}` : '';
  return `npx playwright test ${quoted(`${fileFrom(run, file)}:${line}`)} -g ${quoted(pattern(title))}${only}`;
};

function failuresIn({ publisher: { root } }: Run, error: TestError, { location }: TestCase): Failure[] {
  const [first, ...more] = failuresOf({ ...error, message: error.message ?? error.value }, root);
  if (!first) return more;
  const at = error.location ?? (first.line === null ? location : null);
  if (!at) return [first, ...more];
  const { file, line, column = null } = at;
  return [{ ...first, file: relativeTo(root, file), line, column }, ...more];
}

const kinds: Record<string, StepKind> = { hook: 'SetUp', fixture: 'SetUp', expect: 'Then' };

/** The test's own steps and their direct children; Playwright's trace has the rest of a hook or an action. */
function stepStarted(run: Run, testCase: TestCase, _: Result, step: Step): void {
  const inside = step.parent && step.parent.category !== 'test.step';
  if (inside || run.steps.size >= stepsShown) return;
  const kind = /^After/.test(step.title) ? 'TearDown' : (kinds[step.category] ?? 'When');
  const stepId = `${step.category} ${step.title}`;
  const parentStepNumber = (step.parent && run.steps.get(step.parent)?.number) ?? null;
  const number = run.publisher.startStep(testOf(run, testCase), { stepId, kind, text: step.title, parentStepNumber });
  run.steps.set(step, { stepId, number });
}

function stepEnded(run: Run, testCase: TestCase, _: Result, step: Step): void {
  const known = run.steps.get(step);
  if (!known) return;
  run.steps.delete(step);
  run.publisher.endStep(testOf(run, testCase), known.stepId, known.number, {
    status: step.error ? 'failed' : 'ok',
    durationMs: step.duration,
    failure: step.error ? (failuresIn(run, step.error, testCase)[0] ?? null) : null,
  });
}

/** The Playwright reporter: `reporter: [['list'], ['signalbox-publisher/playwright']]`. */
export default class SignalboxReporter {
  #run: Run | null = null;
  #broken = false;

  constructor(options: PublisherOptions = {}) {
    Object.assign(this, guardAll(this.#hooks(options)));
  }

  /** Playwright then keeps printing its usual output. */
  printsToStdio(): boolean {
    return false;
  }

  #hooks(options: PublisherOptions) {
    const on =
      <Args extends unknown[]>(act: (run: Run, ...args: Args) => void) =>
      (...args: Args) => {
        if (this.#run?.publisher.alive) act(this.#run, ...args);
      };
    const printTo = (stream: 'stdout' | 'stderr') =>
      on((run, chunk: string | Uint8Array, test?: TestCase) => {
        if (!test) return;
        const output = run.printed.get(test.id) ?? new Output();
        run.printed.set(test.id, output);
        output.add(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'), stream);
      });
    return {
      onBegin: (config: Config, suite: { allTests(): TestCase[] }) => {
        const run = createRun(config, options);
        this.#run = run;
        const tests = suite.allTests().map((test) => testOf(run, test));
        run.publisher.begin(tests.length);
        run.publisher.expect(tests);
      },
      onTestBegin: on(started),
      onTestEnd: on(ended),
      onStepBegin: on(stepStarted),
      onStepEnd: on(stepEnded),
      onStdOut: printTo('stdout'),
      onStdErr: printTo('stderr'),
      onError: on((run, error: TestError) => {
        this.#broken = true;
        run.publisher.fault(null, `An error outside of the tests: ${failureOf(error, run.publisher.root).message}`);
      }),
      onEnd: async ({ status }: { status: string }) => {
        this.#run?.passes.endAll();
        const interrupted = status === 'interrupted' ? 'SIGINT' : null;
        await this.#run?.publisher.close({ failed: this.#broken || status !== 'passed', interrupted });
      },
    };
  }
}
