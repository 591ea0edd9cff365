import { type Failure, failureOf, relativeTo } from './failure.ts';
import { guardAll } from './guard.ts';
import { Identities, type Test } from './identity.ts';
import { Lanes } from './lanes.ts';
import { createPublisher, type PublisherOptions } from './publisher.ts';
import type { Verdict } from './record.ts';
import { pattern, quoted } from './rerun.ts';
import { deathOf } from './worker-death.ts';

// The parts of Vitest 3, 4 and 5 that are used; what is optional here came or went between them.
type Attempt = { state?: string; duration?: number; errors?: readonly unknown[] };
type Diagnostic = { duration?: number; retryCount?: number; concurrencyId?: number; workerId?: number };
type Result = { state: string; errors?: readonly unknown[] };
type TestCase = {
  id: string;
  name: string;
  parent: { type: string; name?: string; parent?: unknown };
  module: TestModule;
  location?: { line: number } | undefined;
  options: { mode?: string };
  result(): Result;
  diagnostic(): Diagnostic | undefined;
  attempts?(): readonly Attempt[];
};
type Suite = { errors(): readonly unknown[] };
type TestModule = {
  id: string;
  moduleId: string;
  children: { allTests(): Iterable<TestCase>; allSuites(): Iterable<Suite> };
  errors(): readonly unknown[];
  state(): string;
  diagnostic?(): Diagnostic;
};
type Log = { content: string; taskId?: string };

const deadWorker = /worker .*(exited|emitted error|terminated)|channel closed|SIG(KILL|SEGV|ABRT|TERM|BUS)/is;

/** One run: made anew for each, because watch mode has many in a process. */
function createRun(folder: string, options: PublisherOptions) {
  const publisher = createPublisher({ tool: 'vitest', mode: 'supervised', folder, ...options });
  const names = new Identities();
  const tests = new Map<string, Test>();
  const modules = new Map<
    string,
    { module: TestModule; tests: Test[]; lane: number; done: boolean; crashed: boolean }
  >();
  const printed = new Map<string, string[]>();
  const lanes = new Lanes();
  const workers = new Map<number, number>();
  return { publisher, names, tests, modules, printed, lanes, workers, folder };
}
type Run = ReturnType<typeof createRun>;

const fileOf = ({ folder }: Run, module: TestModule) => relativeTo(folder, module.moduleId);

function titlesOf(test: TestCase): string[] {
  const titles = [test.name];
  for (let at = test.parent; at.type === 'suite'; at = at.parent as TestCase['parent']) titles.unshift(at.name ?? '');
  return titles;
}

function testOf(run: Run, test: TestCase): Test {
  const known = run.tests.get(test.id);
  if (known) return known;
  const made = run.names.make(fileOf(run, test.module), titlesOf(test), test.location?.line ?? null);
  run.tests.set(test.id, made);
  return made;
}

function collected(run: Run, module: TestModule): void {
  const tests = [...module.children.allTests()].map((test) => testOf(run, test));
  const { concurrencyId = 0, workerId } = module.diagnostic?.() ?? {};
  const lane = concurrencyId > 0 ? concurrencyId - 1 : run.lanes.take(module.id);
  // The lane is handed out again although its file never ended: its worker died.
  for (const before of run.modules.values()) {
    if (before.lane !== lane || before.done || before.crashed) continue;
    before.crashed = true;
    run.publisher.endLane(lane, before.tests.filter((test) => run.publisher.ended(test)).length, true);
  }
  run.modules.set(module.id, { module, tests, lane, done: false, crashed: false });
  run.publisher.expect(tests);
  if (workerId !== undefined) workerOf(run, lane, workerId);
  run.publisher.startLane(lane, tests);
}

/** A lane that goes on in another worker than before was recycled; Vitest does so after each file when it isolates. */
function workerOf(run: Run, lane: number, worker: number): void {
  const before = run.workers.get(lane);
  if (before === worker) return;
  run.workers.set(lane, worker);
  const at = new Date().toISOString();
  const purpose = before === undefined ? 'Lane' : 'Recycled';
  run.publisher.publish({ type: 'worker_started', lane, purpose, processId: null, at });
  if (before === undefined) return;
  run.publisher.publish({ type: 'resource_recycled', resource: `worker ${worker} of lane ${lane}`, at });
}

function ended(run: Run, testCase: TestCase): void {
  const test = testOf(run, testCase);
  const { state, errors = [] } = testCase.result();
  const { duration = null, retryCount = 0 } = testCase.diagnostic() ?? {};
  const failures = errors.map((error) => failureOf(error, run.folder));
  const output = run.printed.get(testCase.id) ?? [];
  run.printed.delete(testCase.id);
  const verdict: Verdict = {
    state: state === 'passed' || state === 'failed' ? state : 'skipped',
    durationMs: retryCount > 0 ? (testCase.attempts?.().at(-1)?.duration ?? null) : duration,
    failure: state === 'failed' ? (failures.at(-1) ?? null) : null,
    output,
    rerun: state === 'failed' ? rerunOf(test, testCase) : null,
  };
  earlierAttempts(run, test, testCase, retryCount, failures);
  run.publisher.end(test, verdict);
}

const rerunOf = ({ file }: Test, testCase: TestCase) =>
  `npx vitest run ${quoted(file ?? '')} -t ${quoted(pattern(titlesOf(testCase).join(' ')))}`;

/** Vitest tells attempts only when the test is through: 5 with all there is to know, 3 and 4 with their errors alone. */
function earlierAttempts(
  run: Run,
  test: Test,
  testCase: TestCase,
  retries: number,
  failures: readonly Failure[],
): void {
  const attempts = testCase.attempts?.() ?? [];
  for (let number = 0; number < retries; number++) {
    const { duration: durationMs = null, errors = [] } = attempts[number] ?? {};
    const failure = errors.length > 0 ? failureOf(errors[0], run.folder) : (failures[number] ?? null);
    run.publisher.end(test, { state: 'failed', durationMs, failure });
    run.publisher.start(test, number + 2);
  }
}

function moduleEnded(run: Run, module: TestModule): void {
  const known = run.modules.get(module.id);
  if (known) known.done = true;
  brokenOutsideTests(run, module);
  if (!known) return;
  run.publisher.endLane(known.lane, known.tests.filter((test) => run.publisher.ended(test)).length);
  run.lanes.free(module.id);
}

/** A file that fails to load, or a suite whose hook fails, has no failing test of its own to show. */
function brokenOutsideTests(run: Run, module: TestModule): void {
  const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => [...suite.errors()])];
  if (errors.length === 0) return;
  const test = run.names.make(fileOf(run, module), ['(file)'], null);
  run.publisher.end(test, {
    state: 'failed',
    durationMs: null,
    failure: failureOf(errors[0], run.folder),
    rerun: `npx vitest run ${quoted(test.file ?? '')}`,
  });
}

/** Vitest 4 calls a run with a dead worker "passed"; its own word about the end is therefore not asked for. */
function findDeadWorkers(run: Run, errors: readonly unknown[]): void {
  const causes = errors.map((error) => causeOf(run, error));
  for (const { module, tests, lane, done, crashed } of run.modules.values()) {
    const lost = tests.filter((test) => !run.publisher.ended(test));
    if (done || lost.length === 0) continue;
    const file = fileOf(run, module);
    const cause = causes.find((text) => text.includes(file)) ?? causes.find((text) => deadWorker.test(text));
    const open = new Set(run.publisher.open().map((test) => test.uid));
    const victims = lost.filter((test) => open.has(test.uid));
    const fault = deathOf({ file, victims, lost: lost.length, cause: cause ?? 'cause unknown' });
    run.publisher.fault(lane, fault);
    for (const test of victims) run.publisher.end(test, { state: 'aborted', failure: failureOf(fault, run.folder) });
    if (!crashed) run.publisher.endLane(lane, tests.length - lost.length, true);
  }
  const others = causes.filter((text) => !deadWorker.test(text));
  for (const text of others) run.publisher.fault(null, `An error outside of the tests: ${text}`);
}

/** The cause says more than the pool's error around it; the folder of the run says nothing. */
function causeOf(run: Run, error: unknown): string {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return failureOf(cause ?? error, run.folder)
    .message.replaceAll(`${run.folder}/`, '')
    .trim();
}

/** The Vitest reporter: `reporters: [...configDefaults.reporters, 'signalbox-publisher/vitest']`. */
export default class SignalboxReporter {
  #run: Run | null = null;
  #folder = process.cwd();
  readonly #options: PublisherOptions;

  constructor(options: PublisherOptions = {}) {
    this.#options = options;
    Object.assign(this, guardAll(this.#hooks()));
  }

  #hooks() {
    const live = () => (this.#run?.publisher.alive ? this.#run : null);
    const on =
      <T>(act: (run: Run, thing: T) => void) =>
      (thing: T) => {
        const run = live();
        if (run) act(run, thing);
      };
    return {
      onInit: (vitest: { config: { root: string } }) => {
        this.#folder = vitest.config.root;
      },
      onTestRunStart: () => {
        this.#run = createRun(this.#folder, this.#options);
        this.#run.publisher.begin();
      },
      onTestModuleCollected: on(collected),
      onTestCaseReady: on((run, test: TestCase) => {
        if (test.options.mode === 'run' || test.options.mode === undefined) run.publisher.start(testOf(run, test), 1);
      }),
      onTestCaseResult: on(ended),
      onTestModuleEnd: on(moduleEnded),
      onUserConsoleLog: on((run, { content, taskId = '' }: Log) => {
        const lines = run.printed.get(taskId) ?? [];
        run.printed.set(taskId, lines);
        if (lines.length < 500) lines.push(content);
      }),
      onTestRunEnd: async (_modules: unknown, errors: readonly unknown[] = []) => {
        const run = live();
        if (!run) return;
        findDeadWorkers(run, errors);
        await run.publisher.close({ failed: errors.length > 0 });
      },
    };
  }
}
