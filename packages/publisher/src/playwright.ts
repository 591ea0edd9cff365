import { dirname } from 'node:path';
import type { StepKind } from './events.ts';
import { failureOf, relativeTo } from './failure.ts';
import { guardAll } from './guard.ts';
import { Identities, type Test } from './identity.ts';
import { LaneBook } from './lane-book.ts';
import { createPublisher, type PublisherOptions } from './publisher.ts';
import { pattern, quoted } from './rerun.ts';
import { deathOf } from './worker-death.ts';

// The parts of Playwright's reporter API that are used.
type Location = { file: string; line: number };
type TestError = { message?: string; stack?: string; value?: string; location?: Location };
type TestCase = {
  id: string;
  title: string;
  location: Location;
  expectedStatus: string;
  titlePath(): string[];
};
type Result = {
  retry: number;
  parallelIndex: number;
  workerIndex: number;
  status: string;
  duration: number;
  errors: TestError[];
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
    folder,
    steps,
    names: new Identities(),
    tests: new Map<string, Test>(),
    printed: new Map<string, string[]>(),
    workers: new Map<number, number>(),
  };
}
type Run = ReturnType<typeof createRun>;

/** Titles are: nothing, project, file, suites, test. A named project is part of the name: each runs the test anew. */
function testOf(run: Run, test: TestCase): Test {
  const known = run.tests.get(test.id);
  if (known) return known;
  const [, project = '', , ...titles] = test.titlePath();
  const name = project === '' ? titles : [`[${project}]`, ...titles];
  const made = run.names.make(relativeTo(run.folder, test.location.file), name, test.location.line);
  run.tests.set(test.id, made);
  return made;
}

/** Playwright gives a lane a fresh worker after each failure; that is a recycle and no fault. */
function workerOf(run: Run, { parallelIndex, workerIndex }: Result): void {
  const before = run.workers.get(parallelIndex);
  if (before === workerIndex) return;
  run.workers.set(parallelIndex, workerIndex);
  if (before !== undefined) run.passes.end(parallelIndex);
  const at = new Date().toISOString();
  const purpose = before === undefined ? 'Lane' : 'Recycled';
  run.publisher.publish({ type: 'worker_started', lane: parallelIndex, purpose, processId: null, at });
  if (before !== undefined) {
    run.publisher.publish({
      type: 'resource_recycled',
      resource: `worker ${workerIndex} of lane ${parallelIndex}`,
      at,
    });
  }
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
  const failed = result.status !== 'skipped' && result.status !== testCase.expectedStatus;
  const output = run.printed.get(testCase.id) ?? [];
  run.printed.delete(testCase.id);
  const failure = failed ? failureIn(run, result.errors[0], testCase) : null;
  const lane = result.parallelIndex;
  const dead = failed && result.errors.some((error) => deadWorker.test(error.message ?? ''));
  if (dead) {
    const cause = failure?.message ?? '';
    run.publisher.fault(lane, deathOf({ file: test.file ?? '', victims: [test], lost: 0, cause }));
  }
  run.publisher.end(test, {
    state:
      result.status === 'skipped'
        ? 'skipped'
        : !failed
          ? 'passed'
          : dead || result.status === 'interrupted'
            ? 'aborted'
            : 'failed',
    durationMs: result.duration,
    failure,
    output: failed ? output : [],
    rerun: failed
      ? `npx playwright test ${quoted(`${test.file}:${test.line}`)} -g ${quoted(pattern(testCase.title))}`
      : null,
  });
  if (dead) run.passes.end(lane, true);
}

function failureIn(run: Run, error: TestError | undefined, { location }: TestCase) {
  const failure = failureOf(error ? { ...error, message: error.message ?? error.value } : 'failed', run.folder);
  const at = error?.location ?? location;
  return { ...failure, file: relativeTo(run.folder, at.file), line: at.line };
}

const kinds: Record<string, StepKind> = { hook: 'SetUp', fixture: 'SetUp', expect: 'Then' };

/** The test's own steps and what they do directly; the inside of a hook or an action is left to Playwright's trace. */
function stepStarted(run: Run, testCase: TestCase, _: Result, step: Step): void {
  const inside = step.parent && step.parent.category !== 'test.step';
  if (inside || run.steps.size >= stepsShown) return;
  const kind = /^After/.test(step.title) ? 'TearDown' : (kinds[step.category] ?? 'When');
  const stepId = `${step.category} ${step.title}`;
  const number = run.publisher.startStep(testOf(run, testCase), { stepId, kind, text: step.title });
  run.steps.set(step, { stepId, number });
}

function stepEnded(run: Run, testCase: TestCase, _: Result, step: Step): void {
  const known = run.steps.get(step);
  if (!known) return;
  run.steps.delete(step);
  run.publisher.endStep(testOf(run, testCase), known.stepId, known.number, {
    status: step.error ? 'failed' : 'ok',
    durationMs: step.duration,
    failure: step.error ? failureIn(run, step.error, testCase) : null,
  });
}

/** The Playwright reporter: `reporter: [['list'], ['signalbox-publisher/playwright']]`. */
export default class SignalboxReporter {
  #run: Run | null = null;
  #broken = false;

  constructor(options: PublisherOptions = {}) {
    Object.assign(this, guardAll(this.#hooks(options)));
  }

  /** Playwright then goes on printing what it would print without this reporter. */
  printsToStdio(): boolean {
    return false;
  }

  #hooks(options: PublisherOptions) {
    const on =
      <Args extends unknown[]>(act: (run: Run, ...args: Args) => void) =>
      (...args: Args) => {
        if (this.#run?.publisher.alive) act(this.#run, ...args);
      };
    const print = on((run, chunk: string | Uint8Array, test?: TestCase) => {
      const lines = run.printed.get(test?.id ?? '') ?? [];
      run.printed.set(test?.id ?? '', lines);
      if (lines.length < 500) lines.push(String(chunk));
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
      onStdOut: print,
      onStdErr: print,
      onError: on((run, error: TestError) => {
        this.#broken = true;
        run.publisher.fault(null, `An error outside of the tests: ${failureOf(error, run.folder).message}`);
      }),
      onEnd: async ({ status }: { status: string }) => {
        this.#run?.passes.endAll();
        await this.#run?.publisher.close({ failed: this.#broken || status !== 'passed' });
      },
    };
  }
}
