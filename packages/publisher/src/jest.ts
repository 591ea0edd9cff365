import { type Failure, failureOf, failuresOf, relativeTo, saidFailure } from './failure.ts';
import { guardAll } from './guard.ts';
import { wholeFile } from './hooks.ts';
import { Identities, type Test } from './identity.ts';
import type { Case, FileResult, GlobalConfig, Results, Said, TestFile } from './jest-api.ts';
import { NameGroup } from './jest-names.ts';
import { LaneBook } from './lane-book.ts';
import { Lanes } from './lanes.ts';
import type { Printed } from './output.ts';
import { createPublisher, type PublisherOptions } from './publisher.ts';
import { fileFrom, pattern, quoted } from './rerun.ts';
import { deathOf } from './worker-death.ts';

/** Jest's message when a worker is gone: "worker process …", followed later in the text by how it ended. */
function tellsDeadWorker(text: string): boolean {
  const at = text.search(/worker process /i);
  const gone = at >= 0 && /terminated|exited|crashed/i.test(text.slice(at));
  return gone || /signal=SIG|call retries were exceeded/i.test(text);
}

function createRun(config: GlobalConfig, options: PublisherOptions) {
  const mode = config.maxWorkers > 1 ? 'supervised' : 'in-process';
  const publisher = createPublisher({ tool: 'jest', mode, folder: config.rootDir, ...options });
  return {
    publisher,
    names: new Identities(),
    files: new Map<string, Map<string, NameGroup>>(),
    lanes: new Lanes(),
    /** Running files by path, one for each project that runs it. */
    open: new Map<string, string[]>(),
    passes: new LaneBook(publisher),
    /** Files that Jest has not started; it reports only their number. */
    due: [] as string[],
  };
}
type Run = ReturnType<typeof createRun>;

const projectOf = ({ context }: TestFile) => context?.config?.displayName?.name || null;
const keyOf = (file: TestFile) => `${projectOf(file) ?? ''}\n${file.path}`;
const fileOf = (run: Run, { path }: TestFile) => relativeTo(run.publisher.root, path);

function groupsOf(run: Run, file: TestFile): Map<string, NameGroup> {
  const known = run.files.get(keyOf(file));
  if (known) return known;
  const made = new Map<string, NameGroup>();
  run.files.set(keyOf(file), made);
  return made;
}

function groupOf(run: Run, file: TestFile, { ancestorTitles, title, location }: Case): NameGroup {
  const groups = groupsOf(run, file);
  const titles = [...ancestorTitles, title];
  const key = titles.join('\n');
  const known = groups.get(key);
  if (known) return known;
  // From its first test on, a file is counted by its tests.
  if (groups.size === 0) fileMet(run);
  const made = new NameGroup(() =>
    run.names.make({
      file: fileOf(run, file),
      titles,
      project: projectOf(file),
      line: location?.line ?? null,
      column: location?.column ?? null,
    }),
  );
  groups.set(key, made);
  return made;
}

function fileMet(run: Run): void {
  const due = run.due.pop();
  if (due !== undefined) run.publisher.fileKnown(due);
}

/** Called with the file that Jest has just given to a worker, so there are as many open files as workers. */
function fileStarted(run: Run, file: TestFile): void {
  run.open.set(file.path, [...(run.open.get(file.path) ?? []), keyOf(file)]);
  run.passes.start(run.lanes.take(keyOf(file)));
}

function inLane(run: Run, file: TestFile, test: Test): void {
  const lane = run.lanes.of(keyOf(file));
  if (lane !== null) run.passes.add(lane, test);
}

/**
 * Jest matches events to files only by path: if two projects run the same file, it names the first, and only the end of the file shows the right project.
 */
function isMeant(run: Run, file: TestFile): boolean {
  return run.open.get(file.path)?.length === 1 && run.open.get(file.path)?.[0] === keyOf(file);
}

function started(run: Run, file: TestFile, testCase: Case): void {
  if (!isMeant(run, file)) return;
  const meant = groupOf(run, file, testCase).started();
  if (!meant) return;
  inLane(run, file, meant.test);
  run.publisher.start(meant.test, meant.attempt);
}

const states: Record<string, 'passed' | 'failed'> = { passed: 'passed', failed: 'failed' };

/** Called once for each attempt. */
function ended(run: Run, file: TestFile, testCase: Case): void {
  const state = states[testCase.status ?? ''] ?? 'skipped';
  const { test, attempt, begun } = groupOf(run, file, testCase).ended(testCase.invocations ?? 1, state === 'failed');
  if (!begun) {
    inLane(run, file, test);
    run.publisher.start(test, attempt);
  }
  run.publisher.end(test, {
    state,
    durationMs: testCase.duration ?? null,
    startedAtMs: testCase.startedAt ?? null,
    errors: state === 'failed' ? failuresIn(run.publisher.root, testCase) : [],
    rerun: state === 'failed' ? rerunOf(run, test, testCase.fullName) : null,
    todo: testCase.status === 'todo',
  });
}

const rerunOf = (run: Run, { file }: Test, fullName: string) =>
  `npx jest ${quoted(fileFrom(run, file))} -t ${quoted(`^${pattern(fullName)}$`)}`;

function fileEnded(run: Run, file: TestFile, result: FileResult): void {
  const printed = (result.console ?? []).map(printedAs);
  const cases: [Test, Case][] = [];
  const counts = new Map<NameGroup, number>();
  for (const testCase of result.testResults) {
    const group = groupOf(run, file, testCase);
    const number = counts.get(group) ?? 0;
    counts.set(group, number + 1);
    const test = group.tests()[number];
    if (!test || !run.publisher.ended(test)) ended(run, file, testCase);
    else if (testCase.status === 'failed') addOutput(run, test, testCase, printed);
    else cases.push([test, testCase]);
  }
  for (const [test, output] of outputByTest(cases, result.console ?? [])) run.publisher.addOutput(test, output);
  if (groupsOf(run, file).size === 0) fileMet(run);
  const crashed = result.testExecError ? fileFailed(run, file, result.testExecError) : false;
  const lane = run.lanes.of(keyOf(file));
  if (lane !== null) run.passes.end(lane, crashed);
  run.lanes.free(keyOf(file));
  run.files.delete(keyOf(file));
  const others = (run.open.get(file.path) ?? []).filter((key) => key !== keyOf(file));
  run.open.set(file.path, others);
}

/** The output of a file is known only when the file ends, after the verdicts: their step is sent again, with the output. */
function addOutput(run: Run, test: Test, testCase: Case, output: readonly Printed[]): void {
  if (output.length === 0) return;
  run.publisher.endStep(test, 'test', 1, {
    status: 'failed',
    durationMs: testCase.duration ?? 0,
    failure: failuresIn(run.publisher.root, testCase)[0] ?? null,
    output,
    rerun: rerunOf(run, test, testCase.fullName),
  });
}

/** True for a dead worker: Jest then reports no test of the file, not even those that had passed. */
function fileFailed(run: Run, file: TestFile, error: { message?: string; stack?: string }): boolean {
  const short = fileOf(run, file);
  const tests = [...groupsOf(run, file).values()].flatMap((group) => group.tests());
  const victims = tests.filter((test) => !run.publisher.ended(test));
  const failure = failureOf(error, run.publisher.root);
  const crashed = tellsDeadWorker(`${failure.message} ${failure.stack}`);
  if (crashed) {
    const cause = failure.message.split('\n')[0] ?? '';
    const fault = deathOf({ file: short, victims, lost: victims.length, cause });
    run.publisher.fault(run.lanes.of(keyOf(file)), fault);
    for (const test of victims) run.publisher.end(test, { state: 'aborted', failure: saidFailure(fault) });
  }
  // Jest reports neither the remaining tests of the file nor whose hook failed, so the file itself is reported as failed.
  const rest = run.names.make({ file: short, titles: [wholeFile], project: projectOf(file) });
  run.publisher.end(rest, {
    state: crashed ? 'aborted' : 'failed',
    durationMs: null,
    errors: crashed || error.message ? [failure] : outsideErrors(run.publisher.root, error.stack ?? ''),
    rerun: `npx jest ${quoted(fileFrom(run, short))}`,
  });
  return crashed;
}

/** Errors of a run outside its tests; Jest decides its own result only after its reporters have finished. */
const isBroken = ({ numRuntimeErrorTestSuites = 0, runExecError = null, snapshot }: Results): boolean =>
  numRuntimeErrorTestSuites > 0 || runExecError !== null || snapshot?.failure === true;

/** The Jest reporter: `reporters: ['default', 'signalbox-publisher/jest']`. */
export default class SignalboxReporter {
  #run: Run | null = null;

  constructor(config: GlobalConfig, options: PublisherOptions = {}) {
    Object.assign(this, guardAll(this.#hooks(config, options)));
  }

  /** Returns no error, so that this reporter never makes Jest fail. */
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
      onRunStart: (results: { numTotalTestSuites?: number } = {}) => {
        const run = createRun(config, options);
        this.#run = run;
        run.due = Array.from({ length: results.numTotalTestSuites ?? 0 }, (_, number) => `file ${number}`);
        run.publisher.begin();
        run.publisher.expectFiles(run.due);
      },
      onTestFileStart: on(fileStarted),
      onTestCaseStart: on(started),
      onTestCaseResult: on((run, file: TestFile, testCase: Case) => {
        if (isMeant(run, file)) ended(run, file, testCase);
      }),
      onTestFileResult: on(fileEnded),
      onRunComplete: async (_contexts: unknown, results: Results = {}) => {
        const interrupted = results.wasInterrupted ? 'SIGINT' : null;
        await this.#run?.publisher.close({ failed: isBroken(results), interrupted });
      },
    };
  }
}

/** Message and stack come as one text; compared values and the cause are in the details. */
function failuresIn(root: string, { failureMessages = [], failureDetails = [] }: Case): Failure[] {
  const texts = failureMessages.length > 0 ? failureMessages : ['failed'];
  return texts.flatMap((stack, index) => {
    const detail = (failureDetails[index] ?? {}) as { matcherResult?: object; cause?: unknown; errors?: unknown };
    const { cause, errors } = detail;
    return failuresOf({ ...detail.matcherResult, cause, errors, ...readStack(stack) }, root);
  });
}

const readStack = (stack: string) => {
  const message = stack.split(/\n[ \t]+at /)[0] ?? stack;
  const [, name] = /^(\w*Error)\b/.exec(stack) ?? [];
  return { name, message: name === undefined ? message : message.replace(`${name}: `, ''), stack };
};

/** Errors of hooks come as one text, stack after stack: a line after a frame that is not a frame begins the next one. */
function outsideErrors(root: string, stacks: string): Failure[] {
  const isFrame = (line: string | undefined) => /^\s+at /.test(line ?? '');
  const lines = stacks.split('\n');
  const starts = lines.flatMap((line, at) => (at === 0 || (isFrame(lines[at - 1]) && !isFrame(line)) ? [at] : []));
  return starts.map((at, index) =>
    failureOf(
      readStack(
        lines
          .slice(at, starts[index + 1])
          .join('\n')
          .trim(),
      ),
      root,
    ),
  );
}

const printedAs = ({ message, type = 'log' }: Said): Printed => ({
  text: `${message}\n`,
  stream: /^(error|warn|assert)$/.test(type) ? 'stderr' : 'stdout',
});

/**
 * Jest reports what a file printed, and from which line. It can be assigned to a test if the file has only one, or if tests come with their lines: it belongs to the last test that begins before it.
 */
function outputByTest(cases: readonly [Test, Case][], said: readonly Said[]): Map<Test, Printed[]> {
  const output = new Map<Test, Printed[]>();
  for (const entry of said) {
    const owner = cases.length === 1 ? cases[0]?.[0] : ownerOf(cases, entry);
    if (owner) output.set(owner, [...(output.get(owner) ?? []), printedAs(entry)]);
  }
  return output;
}

function ownerOf(cases: readonly [Test, Case][], { origin = '' }: Said): Test | undefined {
  const lines = cases.flatMap(([test]) => (test.line === null ? [] : [{ test, line: test.line }]));
  const file = lines[0]?.test.file;
  const frame = origin.split('\n').find((text) => file && text.includes(file));
  const at = Number(/:(\d+):\d+\)?$/.exec(frame ?? '')?.[1] ?? 0);
  return lines.filter(({ line }) => line <= at).sort((a, b) => b.line - a.line)[0]?.test;
}
