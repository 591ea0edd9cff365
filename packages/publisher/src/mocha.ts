import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Captured } from './captured.ts';
import { failuresOf, relativeTo } from './failure.ts';
import { guarded } from './guard.ts';
import { hookTitles, notRun, wholeFile } from './hooks.ts';
import { Identities, type Test } from './identity.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { fileFrom, pattern, quoted } from './rerun.ts';
import { setRunningTest } from './running-test.ts';

// The parts of Mocha that are used.
type MochaTest = {
  title: string;
  type?: string;
  file?: string;
  duration?: number;
  id?: string;
  __mocha_id__?: string;
  titlePath(): string[];
  fullTitle(): string;
  currentRetry?(): number;
  retriedTest?(): MochaTest | null | undefined;
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
type FailedHook = { suites: readonly string[]; file: string; reason: string };

/** Mocha's error for a dead worker; all results of its file are lost. */
const deadWorker = /^Uncaught error outside test suite/;

class MochaRun {
  readonly #publisher: Publisher;
  readonly #captured: Captured | null;
  readonly #names = new Identities();
  readonly #tests = new Map<MochaTest | string, Test>();
  readonly #failedHooks: FailedHook[] = [];
  readonly #parallel: boolean;

  constructor(publisher: Publisher, runner: Runner) {
    this.#publisher = publisher;
    this.#parallel = runner.isParallelMode?.() ?? false;
    this.#captured = this.#parallel ? null : new Captured();
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
    on('end', () => this.#keptFromRunning([...this.#tests.values()]));
  }

  stop(): void {
    this.#captured?.stop();
  }

  /** Called twice in parallel mode. */
  #begin(runner: Runner): void {
    const all = this.#parallel ? [] : testsIn(runner.suite).filter((test) => isChosen(runner, test));
    this.#publisher.begin(all.length || null);
    if (this.#tests.size === 0) this.#publisher.expect(all.map((test) => this.#testOf(test)));
  }

  #start(test: MochaTest): void {
    const known = this.#testOf(test);
    setRunningTest({ file: test.file ?? '', name: test.titlePath().join(' ') });
    this.#publisher.start(known, (test.currentRetry?.() ?? 0) + 1);
    // Output of the printing reporter for the same event does not belong to the test.
    queueMicrotask(() => this.#captured?.begin());
  }

  #end(mochaTest: MochaTest, state: 'passed' | 'failed' | 'skipped', error?: unknown): void {
    const test = this.#testOf(mochaTest);
    this.#publisher.end(test, {
      state,
      durationMs: mochaTest.duration ?? null,
      errors: state === 'failed' ? failuresOf(error, this.#publisher.root) : [],
      output: this.#captured?.end() ?? [],
      rerun: state === 'failed' ? this.#rerun(test, mochaTest.fullTitle()) : null,
    });
  }

  #failOutside(hook: MochaTest, error: unknown): void {
    const file = relativeTo(this.#publisher.root, hook.file ?? '');
    const died = this.#parallel && deadWorker.test(hook.title);
    const suites = hook.titlePath().slice(0, -1);
    const titles = died ? [wholeFile] : hookTitles(suites, ownTitle(hook.title));
    const test = this.#names.make({ file, titles });
    const errors = failuresOf(error, this.#publisher.root);
    const said = `The worker of ${file} is gone: ${errors[0]?.message} None of its tests has a verdict.`;
    if (died) this.#publisher.fault(null, said);
    this.#publisher.end(test, { state: died ? 'aborted' : 'failed', durationMs: null, errors });
    if (died) return;
    this.#captured?.end();
    this.#failedHooks.push({ suites, file, reason: notRun(hookName(hook.title), suites.at(-1) ?? '') });
    this.#keptFromRunning(this.#publisher.open());
  }

  /** A failed hook ends its suite: its remaining tests do not run. Hooks outside all suites apply to all files. */
  #keptFromRunning(tests: readonly Test[]): void {
    for (const test of tests) {
      if (this.#publisher.ended(test)) continue;
      const hook = this.#failedHooks.find(
        ({ suites, file }) =>
          suites.length === 0 || (file === test.file && suites.every((title, at) => test.path?.[at] === title)),
      );
      if (hook) this.#publisher.end(test, { state: 'skipped', durationMs: null, skipReason: hook.reason });
    }
  }

  /** A retried test is a copy of the previous one; from another process every object is new. */
  #testOf(test: MochaTest): Test {
    let first = test;
    for (let at = test.retriedTest?.(); at; at = at.retriedTest?.()) first = at;
    const key = first.id ?? first.__mocha_id__ ?? first;
    const known = this.#tests.get(key);
    if (known) return known;
    const file = relativeTo(this.#publisher.root, test.file ?? '');
    const made = this.#names.make({ file, titles: test.titlePath() });
    this.#tests.set(key, made);
    return made;
  }

  #rerun({ file }: Test, fullTitle: string): string {
    const place = quoted(fileFrom({ publisher: this.#publisher }, file));
    return `npx mocha ${place} --grep ${quoted(`^${pattern(fullTitle)}$`)}`;
  }
}

/** `"before each" hook: named` is `beforeEach`. */
const hookName = (title: string): string =>
  (/^"(\w+ \w+)" hook/.exec(title)?.[1] ?? 'a hook').replace(/ (\w)/, (_, letter: string) => letter.toUpperCase());

const testsIn = (suite: Suite): MochaTest[] => [...suite.tests, ...suite.suites.flatMap(testsIn)];

function isChosen({ _grep: grep, _invert: inverted = false }: Runner, test: MochaTest): boolean {
  return !grep || grep.test(test.fullTitle()) !== inverted;
}

/** Mocha accepts only one reporter, so this one runs the printing reporter: a built-in name or a module. */
function loadInner(name: string): InnerClass {
  const near = createRequire(join(process.cwd(), 'package.json'));
  const mocha = guarded(() => near('mocha'), null) ?? createRequire(realpathSync(process.argv[1] ?? ''))('mocha');
  const found = mocha.reporters[name] ?? near(name);
  return found.default ?? found;
}

/** The Mocha reporter: `--reporter signalbox-publisher/mocha --reporter-option inner=spec`. */
export default class SignalboxReporter {
  readonly #publisher: Publisher;
  readonly #run: MochaRun | null;
  readonly #inner: Inner;

  constructor(runner: Runner, options: Options = {}) {
    const { inner = 'spec' } = options.reporterOption ?? options.reporterOptions ?? {};
    const Printing = loadInner(inner);
    const mode = runner.isParallelMode?.() ? 'supervised' : 'in-process';
    this.#publisher = createPublisher({ tool: 'mocha', mode });
    // Registered before the printing reporter, so that the reporter's output for a verdict is not mistaken for output
    // of the test.
    this.#run = guarded(() => new MochaRun(this.#publisher, runner), null);
    this.#inner = new Printing(runner, options);
  }

  /** Called at the end; Mocha waits for `fn`. */
  done(failures: number, fn: (failures: number) => void): void {
    this.#run?.stop();
    const close = () => this.#publisher.close().finally(() => fn(failures));
    if (this.#inner.done) this.#inner.done(failures, close);
    else close();
  }
}

/** `"before all" hook for "adds"` without the name of its test or suite. */
function ownTitle(title: string): string {
  const at = title.search(/ (?:for|in) "/);
  return at >= 0 && title.endsWith('"') ? title.slice(0, at) : title;
}
