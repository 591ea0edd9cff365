import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { failureOf, relativeTo } from './failure.ts';
import { guarded } from './guard.ts';
import { Identities, type Test } from './identity.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { pattern, quoted } from './rerun.ts';
import { setRunningTest } from './running-test.ts';

// The parts of Mocha that are used.
type MochaTest = {
  title: string;
  type?: string;
  file?: string;
  duration?: number;
  titlePath(): string[];
  fullTitle(): string;
  currentRetry?(): number;
  retriedTest?(): MochaTest | undefined;
};
type Suite = { tests: MochaTest[]; suites: Suite[] };
type Runner = {
  suite: Suite;
  _grep?: RegExp;
  _invert?: boolean;
  isParallelMode?(): boolean;
  on(event: string, listener: (test: MochaTest, error?: unknown) => void): void;
};
type Options = { reporterOption?: { inner?: string }; reporterOptions?: { inner?: string } };
type Inner = { done?(failures: number, fn: (failures: number) => void): void };
type InnerClass = new (runner: Runner, options: Options) => Inner;

/** What Mocha calls the end of a worker, having lost everything that its file had to say. */
const deadWorker = /^Uncaught error outside test suite/;

class MochaRun {
  readonly #publisher: Publisher;
  readonly #names = new Identities();
  readonly #tests = new Map<MochaTest | string, Test>();
  readonly #parallel: boolean;

  constructor(publisher: Publisher, runner: Runner) {
    this.#publisher = publisher;
    this.#parallel = runner.isParallelMode?.() ?? false;
    const on = (event: string, act: (test: MochaTest, error?: unknown) => void) =>
      runner.on(event, (test, error) => publisher.alive && guarded(() => act(test, error), undefined));
    on('start', () => this.#begin(runner));
    on('test', (test) => this.#start(test));
    on('retry', (test, error) => this.#end(test, 'failed', error));
    on('pass', (test) => this.#end(test, 'passed'));
    on('pending', (test) => this.#end(test, 'skipped'));
    on('fail', (test, error) =>
      test.type === 'test' ? this.#end(test, 'failed', error) : this.#failOutside(test, error),
    );
    on('test end', () => setRunningTest(null));
  }

  /** Told twice in parallel mode. */
  #begin(runner: Runner): void {
    const all = this.#parallel ? [] : testsIn(runner.suite).filter((test) => isChosen(runner, test));
    this.#publisher.begin(all.length || null);
    if (this.#tests.size === 0) this.#publisher.expect(all.map((test) => this.#testOf(test)));
  }

  #start(test: MochaTest): void {
    const known = this.#testOf(test);
    setRunningTest({ file: test.file ?? '', name: test.titlePath().join(' ') });
    this.#publisher.start(known, (test.currentRetry?.() ?? 0) + 1);
  }

  #end(mochaTest: MochaTest, state: 'passed' | 'failed' | 'skipped', error?: unknown): void {
    const test = this.#testOf(mochaTest);
    this.#publisher.end(test, {
      state,
      durationMs: mochaTest.duration ?? null,
      failure: state === 'failed' ? failureOf(error, this.#publisher.folder) : null,
      rerun: state === 'failed' ? rerunOf(test, mochaTest.fullTitle()) : null,
    });
  }

  #failOutside(hook: MochaTest, error: unknown): void {
    const file = relativeTo(this.#publisher.folder, hook.file ?? '');
    const died = this.#parallel && deadWorker.test(hook.title);
    const test = this.#names.make(file, died ? ['(file)'] : hook.titlePath(), null);
    const failure = failureOf(error, this.#publisher.folder);
    if (died)
      this.#publisher.fault(null, `The worker of ${file} is gone: ${failure.message} None of its tests has a verdict.`);
    this.#publisher.end(test, { state: died ? 'aborted' : 'failed', durationMs: null, failure });
  }

  /** A retried test is a copy of the one before it; what comes from another process is a new object each time. */
  #testOf(test: MochaTest): Test {
    let first = test;
    for (let at = test.retriedTest?.(); at; at = at.retriedTest?.()) first = at;
    const key = this.#parallel ? `${test.file} ${test.fullTitle()}` : first;
    const known = this.#tests.get(key);
    if (known) return known;
    const made = this.#names.make(relativeTo(this.#publisher.folder, test.file ?? ''), test.titlePath(), null);
    this.#tests.set(key, made);
    return made;
  }
}

const rerunOf = ({ file }: Test, fullTitle: string) =>
  `npx mocha ${quoted(file ?? '')} --grep ${quoted(`^${pattern(fullTitle)}$`)}`;

const testsIn = (suite: Suite): MochaTest[] => [...suite.tests, ...suite.suites.flatMap(testsIn)];

function isChosen({ _grep: grep, _invert: inverted = false }: Runner, test: MochaTest): boolean {
  return !grep || grep.test(test.fullTitle()) !== inverted;
}

/** Mocha takes one reporter only, so this one brings the one that prints: a name of Mocha's own, or a module. */
function loadInner(name: string): InnerClass {
  const near = createRequire(join(process.cwd(), 'package.json'));
  const mocha = guarded(() => near('mocha'), null) ?? createRequire(realpathSync(process.argv[1] ?? ''))('mocha');
  const found = mocha.reporters[name] ?? near(name);
  return found.default ?? found;
}

/** The Mocha reporter: `--reporter signalbox-publisher/mocha --reporter-option inner=spec`. */
export default class SignalboxReporter {
  readonly #publisher: Publisher;
  readonly #inner: Inner;

  constructor(runner: Runner, options: Options = {}) {
    const { inner = 'spec' } = options.reporterOption ?? options.reporterOptions ?? {};
    this.#inner = new (loadInner(inner))(runner, options);
    const mode = runner.isParallelMode?.() ? 'supervised' : 'in-process';
    this.#publisher = createPublisher({ tool: 'mocha', mode });
    guarded(() => new MochaRun(this.#publisher, runner), null);
  }

  /** Called at the end; Mocha waits for `fn`. */
  done(failures: number, fn: (failures: number) => void): void {
    const close = () => this.#publisher.close().finally(() => fn(failures));
    if (this.#inner.done) this.#inner.done(failures, close);
    else close();
  }
}
