import { type Failure, failureOf, failuresOf, saidFailure } from './failure.ts';
import { guardAll, guarded } from './guard.ts';
import { hookTitles, notRun, wholeFile } from './hooks.ts';
import type { Test } from './identity.ts';
import { Output, type Stream } from './output.ts';
import type { PublisherOptions } from './publisher.ts';
import type { Verdict } from './record.ts';
import { isRefused } from './refused.ts';
import { fileFrom, pattern, quoted } from './rerun.ts';
import { leftBy } from './vitest-annotations.ts';
import type { FileTask, Log, Parent, Specification, Task, TestCase, TestModule, Vitest } from './vitest-api.ts';
import { createRun, fileOf, type Run } from './vitest-run.ts';
import { moduleOf } from './vitest-tasks.ts';
import { deathOf } from './worker-death.ts';

/** All files of a type check come from one compiler, and a file may be checked and run in one project. */
const isTypes = ({ task }: TestModule) => task?.meta?.typecheck === true;
function projectIn(module: TestModule): string | null {
  const { name = '' } = module.project ?? {};
  return (isTypes(module) ? `${name} types`.trim() : name) || null;
}

function titlesOf(at: { name?: string; parent?: Parent }): string[] {
  const titles = [at.name ?? ''];
  for (let up = at.parent; up?.type === 'suite'; up = up.parent) titles.unshift(up.name ?? '');
  return titles;
}

function testOf(run: Run, test: TestCase): Test {
  const known = run.tests.get(test.id);
  if (known) return known;
  const { module, location, options } = test;
  const made = run.names.make({
    file: fileOf(run, module),
    titles: titlesOf(test),
    project: projectIn(module),
    line: location?.line ?? null,
    column: location?.column ?? null,
    tags: options.tags ?? [],
  });
  run.tests.set(test.id, made);
  return made;
}

function collected(run: Run, module: TestModule): void {
  const tests = [...module.children.allTests()].map((test) => testOf(run, test));
  const types = isTypes(module);
  const { concurrencyId = 0, workerId } = module.diagnostic?.() ?? {};
  const lane = types ? run.typesLane : concurrencyId > 0 ? concurrencyId - 1 : run.lanes.take(module.id);
  // The lane is reused although its file never ended, so its worker died.
  for (const before of types ? [] : run.modules.values()) {
    if (before.lane !== lane || before.done || before.crashed) continue;
    before.crashed = true;
    run.publisher.endLane(lane, before.tests.filter((test) => run.publisher.ended(test)).length, true);
  }
  run.modules.set(module.id, { module, tests, lane, done: false, crashed: false });
  run.publisher.fileKnown(module.id);
  run.publisher.expect(tests);
  if (workerId !== undefined) workerOf(run, lane, workerId);
  run.publisher.startLane(lane, tests);
}

/** A lane that continues in a different worker was recycled; with isolation, Vitest does so after each file. */
function workerOf(run: Run, lane: number, worker: number): void {
  const before = run.workers.get(lane);
  if (before === worker) return;
  run.workers.set(lane, worker);
  run.publisher.startWorker(lane, before === undefined ? 'Lane' : 'Recycled', worker);
}

const willRun = ({ options: { mode } }: TestCase) => mode === undefined || mode === 'run' || mode === 'only';

/** On a busy machine Vitest reports the start and end of a test again after its file has ended. */
function started(run: Run, testCase: TestCase): void {
  if (!willRun(testCase)) return;
  const test = testOf(run, testCase);
  if (!run.publisher.ended(test)) run.publisher.start(test, 1);
}

function ended(run: Run, testCase: TestCase): void {
  const { state, errors = [], note = null } = testCase.result();
  // Did not run, for a reason that is known only when its file has ended.
  if (state === 'skipped' && note === null && willRun(testCase)) return;
  const test = testOf(run, testCase);
  if (run.publisher.ended(test)) return;
  const { duration = null, startTime = null, retryCount = 0 } = testCase.diagnostic() ?? {};
  const attempts = attemptsOf(run, testCase, errors, retryCount);
  const last = attempts.at(-1);
  const verdict: Verdict = {
    state: state === 'passed' || state === 'failed' ? state : 'skipped',
    durationMs: retryCount > 0 ? (last?.durationMs ?? null) : duration,
    startedAtMs: retryCount > 0 ? (last?.startedAtMs ?? null) : startTime,
    errors: state === 'failed' ? (last?.errors ?? []) : [],
    output: run.printed.get(testCase.id)?.take() ?? [],
    rerun: state === 'failed' ? rerunOf(run, test, testCase) : null,
    skipReason: note,
    todo: testCase.options.mode === 'todo',
  };
  run.printed.delete(testCase.id);
  for (const [index, earlier] of attempts.slice(0, -1).entries()) {
    run.publisher.end(test, { state: 'failed', ...earlier });
    run.publisher.start(test, index + 2);
  }
  run.publisher.end(test, verdict);
  for (const left of leftBy(testCase.annotations?.() ?? [])) run.publisher.attach(test, left);
}

const rerunOf = (run: Run, { file }: Test, testCase: TestCase) => {
  const { name } = testCase.module.project ?? {};
  const project = name ? ` --project ${quoted(name)}` : '';
  return `npx vitest run ${quoted(fileFrom(run, file))} -t ${quoted(pattern(titlesOf(testCase).join(' ')))}${project}`;
};

type Tried = { durationMs: number | null; startedAtMs: number | null; errors: Failure[] };

/** Vitest reports attempts only after the test has ended: version 5 in full, 3 and 4 with their errors only. */
function attemptsOf({ publisher }: Run, testCase: TestCase, errors: readonly unknown[], retries: number): Tried[] {
  const known = testCase.attempts?.() ?? [];
  const each = Math.max(1, Math.floor(errors.length / (retries + 1)));
  return Array.from({ length: retries + 1 }, (_, index) => {
    const { duration = null, startTime = null, errors: own } = known[index] ?? {};
    const shared = errors.slice(index * each, index === retries ? undefined : (index + 1) * each);
    const thrown = retries === 0 ? errors : (own ?? shared);
    const failures = thrown.flatMap((error) => failuresOf(error, publisher.root));
    return { durationMs: duration, startedAtMs: startTime, errors: failures };
  });
}

function moduleEnded(run: Run, module: TestModule): void {
  const known = run.modules.get(module.id);
  if (known) known.done = true;
  // A file that does not load is never collected.
  run.publisher.fileKnown(module.id);
  brokenOutsideTests(run, module);
  for (const testCase of module.children.allTests()) endLate(run, testCase);
  if (!known) return;
  run.publisher.endLane(known.lane, known.tests.filter((test) => run.publisher.ended(test)).length);
  run.lanes.free(module.id);
}

/** A file that fails to load, or a suite with a failed hook, has no failing test. */
function brokenOutsideTests(run: Run, module: TestModule): void {
  const broken = (titles: string[], errors: readonly unknown[]) => {
    if (errors.length === 0) return;
    const test = run.names.make({ file: fileOf(run, module), titles, project: projectIn(module) });
    run.publisher.end(test, {
      state: 'failed',
      durationMs: null,
      errors: errors.flatMap((error) => failuresOf(error, run.publisher.root)),
      rerun: `npx vitest run ${quoted(fileFrom(run, test.file))}`,
    });
  };
  broken([wholeFile], module.errors());
  for (const suite of module.children.allSuites()) broken(hookTitles(titlesOf(suite)), suite.errors());
}

/** On a busy machine Vitest 4 reports some tests only with their file, as it does tests that a hook prevented. */
function endLate(run: Run, testCase: TestCase): void {
  const test = testOf(run, testCase);
  const { state } = testCase.result();
  if (run.publisher.ended(test) || state === 'pending') return;
  if (state === 'passed' || state === 'failed') {
    ended(run, testCase);
    return;
  }
  let reason: string | null = null;
  for (let up: Parent | undefined = testCase.parent; up && reason === null; up = up.parent) {
    if (up.errors?.().length) reason = notRun('beforeAll', up.type === 'suite' ? (up.name ?? '') : '');
  }
  run.publisher.end(test, { state: 'skipped', durationMs: null, skipReason: reason });
}

/** In Vitest 1 and 2 verdicts are final, and sent, when their file ends: until then a failure may be retried. */
function fileEnded(run: Run, file: FileTask): void {
  const module = moduleOf(file);
  if (!run.modules.has(file.id) && (file.tasks?.length ?? 0) > 0) collected(run, module);
  for (const test of module.children.allTests()) if (!willRun(test)) ended(run, test);
  moduleEnded(run, module);
}

/** The Vitest reporter: `reporters: [...configDefaults.reporters, 'signalbox-publisher/vitest']`. */
export default class SignalboxReporter {
  #run: Run | null = null;
  /** Tasks by id, for Vitest 1, which does not report its version, and 2; they have other hooks than later versions. */
  #tasks: { get(id: string): Task | undefined } | null = null;
  #config: Vitest['config'] = { root: process.cwd() };
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
      onInit: ({ config, version, state }: Vitest) => {
        this.#config = config;
        isRefused('Vitest', version, 1);
        this.#tasks = Number.parseInt(version ?? '1', 10) < 3 ? (state?.idMap ?? null) : null;
        if (this.#tasks) return;
        if (config.shard) onShard(config, (picked) => live()?.publisher.expectFiles(picked.map(idOf)));
      },
      onTestRunStart: (files: readonly Specification[] = []) => {
        this.#run = createRun(this.#config, this.#options);
        this.#run.publisher.begin();
        // All files of all shards; Vitest picks the files of this shard later.
        if (!this.#config.shard) this.#run.publisher.expectFiles(files.map(idOf));
      },
      ...this.#hooksOfTasks(live),
      onTestModuleCollected: on(collected),
      onTestCaseReady: on(started),
      onTestCaseResult: on(ended),
      onTestModuleEnd: on(moduleEnded),
      onUserConsoleLog: on((run, { content, taskId = '', type, time }: Log) => {
        const output = run.printed.get(taskId) ?? new Output();
        run.printed.set(taskId, output);
        output.add(content, (type ?? 'stdout') as Stream, time);
      }),
      onTestRunEnd: async (_modules: unknown, errors: readonly unknown[] = [], reason = '') => {
        const run = live();
        if (!run) return;
        const interrupted = reason === 'interrupted' ? 'SIGINT' : null;
        if (interrupted === null) modulesLost(run, errors);
        await run.publisher.close({ failed: errors.length > 0, interrupted });
      },
    };
  }

  /** The hooks of Vitest 1 and 2. Later versions still call some of them; there they do nothing, since `#tasks` is null. */
  #hooksOfTasks(live: () => Run | null) {
    const running = () => (this.#tasks ? live() : null);
    return {
      onPathsCollected: () => {
        if (!this.#tasks) return;
        this.#run = createRun(this.#config, this.#options);
        this.#run.publisher.begin();
      },
      onCollected: (files: readonly FileTask[] = []) => {
        const run = running();
        for (const file of run ? files : []) if (run && !run.modules.has(file.id)) collected(run, moduleOf(file));
      },
      onTaskUpdate: (updates: readonly (readonly [id: string])[]) => {
        const run = running();
        for (const [id] of run ? updates : []) {
          const task = this.#tasks?.get(id);
          const test = run?.tests.get(id);
          if (run && test && task?.result?.state === 'run' && !run.publisher.open().includes(test))
            run.publisher.start(test, 1);
        }
      },
      onFinished: async (files: readonly FileTask[] = [], errors: readonly unknown[] = []) => {
        const run = running();
        if (!run) return;
        for (const file of files) fileEnded(run, file);
        modulesLost(run, errors);
        await run.publisher.close({ failed: errors.length > 0 });
      },
    };
  }
}

/** Vitest's message when a worker is gone: "worker …", followed later in the text by how it ended. */
function tellsDeadWorker(text: string): boolean {
  const at = text.search(/worker /i);
  const gone = at >= 0 && /exited|emitted error|terminated/i.test(text.slice(at));
  return gone || /channel closed|SIG(?:KILL|SEGV|ABRT|TERM|BUS)/i.test(text);
}

/** Vitest 4 reports a run with a dead worker as "passed", so its own result is not used. */
function modulesLost(run: Run, errors: readonly unknown[]): void {
  const causes = errors.map((error) => causeOf(run, error));
  for (const { module, tests, lane, done, crashed } of run.modules.values()) {
    const lost = tests.filter((test) => !run.publisher.ended(test));
    if (done || lost.length === 0) continue;
    const file = fileOf(run, module);
    const cause = causes.find((text) => text.includes(file)) ?? causes.find(tellsDeadWorker);
    const open = new Set(run.publisher.open().map((test) => test.uid));
    const victims = lost.filter((test) => open.has(test.uid));
    const fault = deathOf({ file, victims, lost: lost.length, cause: cause ?? 'cause unknown' });
    run.publisher.fault(lane, fault);
    for (const test of victims) run.publisher.end(test, { state: 'aborted', failure: saidFailure(fault) });
    if (!crashed) run.publisher.endLane(lane, tests.length - lost.length, true);
  }
  const others = causes.filter((text) => !tellsDeadWorker(text));
  for (const text of others) run.publisher.fault(null, `An error outside of the tests: ${text}`);
}

/** The cause is more specific than the pool's error around it; the folder of the run is removed. */
function causeOf(run: Run, error: unknown): string {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return failureOf(cause ?? error, run.publisher.root)
    .message.replaceAll(`${run.folder}/`, '')
    .trim();
}

const idOf = ({ taskId }: Specification): string => taskId;

/**
 * Calls back with the files that Vitest picked for this shard: once for all in Vitest 4 and 5, once for each pool in 3.
 * Reporters only see all files, so this wraps the sequencer, which may be the user's own.
 */
function onShard({ sequence }: Vitest['config'], picked: (files: readonly Specification[]) => void): void {
  const Sequencer = sequence?.sequencer;
  if (!sequence || !Sequencer) return;
  sequence.sequencer = class extends Sequencer {
    constructor(...args: readonly never[]) {
      super(...args);
      const pick = this.shard;
      this.shard = async (files) => {
        const own = await pick.call(this, files);
        guarded(() => picked(own), undefined);
        return own;
      };
    }
  };
}
