import { failureOf, relativeTo } from './failure.ts';
import { guardAll } from './guard.ts';
import { Identities, type Test } from './identity.ts';
import { LaneBook } from './lane-book.ts';
import { Lanes } from './lanes.ts';
import { createPublisher, type PublisherOptions } from './publisher.ts';
import { pattern, quoted } from './rerun.ts';
import { deathOf } from './worker-death.ts';

// The parts of Jest's reporter API that are used.
type GlobalConfig = { rootDir: string; maxWorkers: number };
type TestFile = { path: string };
type Case = {
  ancestorTitles: readonly string[];
  title: string;
  fullName: string;
  status?: string;
  duration?: number | null;
  invocations?: number;
  failureMessages?: readonly string[];
  failureDetails?: readonly unknown[];
  location?: { line: number } | null;
};
type FileResult = {
  testResults: readonly Case[];
  testExecError?: { message?: string; stack?: string } | null;
  console?: readonly { message: string }[] | null;
};

type Results = {
  numRuntimeErrorTestSuites?: number;
  wasInterrupted?: boolean;
  runExecError?: object | null;
  snapshot?: { failure?: boolean };
};

const deadWorker = /worker process .*(terminated|exited|crashed)|signal=SIG|call retries were exceeded/is;

function createRun(config: GlobalConfig, options: PublisherOptions) {
  const mode = config.maxWorkers > 1 ? 'supervised' : 'in-process';
  const publisher = createPublisher({ tool: 'jest', mode, folder: config.rootDir, ...options });
  const tests = new Map<string, Map<string, Test>>();
  return {
    publisher,
    folder: config.rootDir,
    names: new Identities(),
    tests,
    lanes: new Lanes(),
    passes: new LaneBook(publisher),
    open: new Set<string>(),
    startedAgain: new Set<string>(),
  };
}
type Run = ReturnType<typeof createRun>;

const testsOf = (run: Run, { path }: TestFile) => {
  const known = run.tests.get(path) ?? new Map<string, Test>();
  run.tests.set(path, known);
  return known;
};

function testOf(run: Run, file: TestFile, { ancestorTitles, title, location }: Case): Test {
  const tests = testsOf(run, file);
  const key = [...ancestorTitles, title].join('\n');
  const known = tests.get(key);
  if (known) return known;
  const made = run.names.make(relativeTo(run.folder, file.path), [...ancestorTitles, title], location?.line ?? null);
  tests.set(key, made);
  return made;
}

/** Told with the file that Jest has just handed to a worker, so as many are open as there are workers. */
function fileStarted(run: Run, file: TestFile): void {
  run.passes.start(run.lanes.take(file.path));
}

function started(run: Run, file: TestFile, testCase: Case): void {
  const test = testOf(run, file, testCase);
  const lane = run.lanes.of(file.path);
  if (lane !== null) run.passes.add(lane, test);
  if (run.open.has(test.uid)) run.startedAgain.add(test.uid);
  else begin(run, test);
}

function begin(run: Run, test: Test): void {
  run.open.add(test.uid);
  run.publisher.start(test);
}

const states: Record<string, 'passed' | 'failed'> = { passed: 'passed', failed: 'failed' };

/** Told once for each attempt; a retry is known by its start, which may come before the verdict it follows. */
function ended(run: Run, file: TestFile, testCase: Case): void {
  const test = testOf(run, file, testCase);
  const state = states[testCase.status ?? ''] ?? 'skipped';
  run.publisher.end(test, {
    state,
    durationMs: testCase.duration ?? null,
    failure: state === 'failed' ? failureIn(run, testCase) : null,
    rerun: state === 'failed' ? rerunOf(test, testCase.fullName) : null,
  });
  run.open.delete(test.uid);
  if (run.startedAgain.delete(test.uid)) begin(run, test);
}

const rerunOf = ({ file }: Test, fullName: string) =>
  `npx jest ${quoted(file ?? '')} -t ${quoted(`^${pattern(fullName)}$`)}`;

/** The message comes with its stack as one text; what was compared is in the details. */
function failureIn(run: Run, { failureMessages = [], failureDetails = [] }: Case) {
  const stack = failureMessages[0] ?? 'failed';
  const message = stack.split(/\n\s+at /)[0] ?? stack;
  const compared = (failureDetails[0] as { matcherResult?: object } | undefined)?.matcherResult ?? {};
  return failureOf({ ...compared, name: /^(\w*Error)\b/.exec(stack)?.[1], message, stack }, run.folder);
}

function fileEnded(run: Run, file: TestFile, result: FileResult): void {
  for (const testCase of result.testResults) {
    const test = testOf(run, file, testCase);
    if (!run.publisher.ended(test)) ended(run, file, testCase);
    else if (testCase.status === 'failed') addOutput(run, test, testCase, result.console ?? []);
  }
  const crashed = result.testExecError ? fileFailed(run, file, result.testExecError) : false;
  const lane = run.lanes.of(file.path);
  if (lane !== null) run.passes.end(lane, crashed);
  run.lanes.free(file.path);
  run.tests.delete(file.path);
}

/** What a file printed is known only when it ends, after the verdicts: their step is told again, with it. */
function addOutput(run: Run, test: Test, testCase: Case, printed: readonly { message: string }[]): void {
  if (printed.length === 0) return;
  run.publisher.endStep(test, 'test', 1, {
    status: 'failed',
    durationMs: testCase.duration ?? 0,
    failure: failureIn(run, testCase),
    output: printed.map((entry) => entry.message),
    rerun: rerunOf(test, testCase.fullName),
  });
}

/** True for a dead worker: Jest then reports no test of the file, not even those that had passed. */
function fileFailed(run: Run, file: TestFile, error: { message?: string; stack?: string }): boolean {
  const short = relativeTo(run.folder, file.path);
  const tests = [...testsOf(run, file).values()];
  const victims = tests.filter((test) => !run.publisher.ended(test));
  const failure = failureOf(error, run.folder);
  const crashed = deadWorker.test(`${failure.message} ${failure.stack}`);
  if (crashed) {
    const cause = failure.message.split('\n')[0] ?? '';
    const fault = deathOf({ file: short, victims, lost: victims.length, cause });
    run.publisher.fault(run.lanes.of(file.path), fault);
    for (const test of victims) run.publisher.end(test, { state: 'aborted', failure: failureOf(fault, run.folder) });
  }
  // Jest does not tell which tests the file still had, so the file stands for them.
  const rest = run.names.make(short, ['(file)'], null);
  run.publisher.end(rest, {
    state: crashed ? 'aborted' : 'failed',
    durationMs: null,
    failure,
    rerun: `npx jest ${quoted(short)}`,
  });
  return crashed;
}

/** What is wrong with a run besides its tests; Jest makes up its own mind only after its reporters are through. */
function isBroken({
  numRuntimeErrorTestSuites = 0,
  wasInterrupted = false,
  runExecError = null,
  snapshot,
}: Results): boolean {
  return numRuntimeErrorTestSuites > 0 || wasInterrupted || runExecError !== null || snapshot?.failure === true;
}

/** The Jest reporter: `reporters: ['default', 'signalbox-publisher/jest']`. */
export default class SignalboxReporter {
  #run: Run | null = null;

  constructor(config: GlobalConfig, options: PublisherOptions = {}) {
    Object.assign(this, guardAll(this.#hooks(config, options)));
  }

  /** Nothing here makes Jest fail. */
  getLastError(): undefined {
    return undefined;
  }

  #hooks(config: GlobalConfig, options: PublisherOptions) {
    const on =
      <Args extends unknown[]>(act: (run: Run, ...args: Args) => void) =>
      (...args: Args) => {
        if (this.#run?.publisher.alive) act(this.#run, ...args);
      };
    return {
      onRunStart: () => {
        this.#run = createRun(config, options);
        this.#run.publisher.begin();
      },
      onTestFileStart: on(fileStarted),
      onTestCaseStart: on(started),
      onTestCaseResult: on(ended),
      onTestFileResult: on(fileEnded),
      onRunComplete: async (_contexts: unknown, results: Results = {}) => {
        await this.#run?.publisher.close({ failed: isBroken(results) });
      },
    };
  }
}
