import { resolve } from 'node:path';
import { failureOf, relativeTo, saidFailure } from './failure.ts';
import { guarded } from './guard.ts';
import { hookTitles, notRun, wholeFile } from './hooks.ts';
import { Identities, type Test } from './identity.ts';
import { LaneBook } from './lane-book.ts';
import { Lanes } from './lanes.ts';
import {
  causeOf,
  type Entry,
  type File,
  failuresIn,
  hookIn,
  isFile,
  type NodeError,
  newFile,
  reasonIn,
  rerunOf,
  type TestData,
  thrownIn,
  titlesOf,
} from './node-test-tree.ts';
import { Output, textOf } from './output.ts';
import { type Publisher, publisherWith, traceAhead } from './publisher.ts';
import { isRefused } from './refused.ts';
import { nameSpool } from './touched.ts';
import { deathOf } from './worker-death.ts';

type Source = AsyncIterable<{ type: string; data: unknown }>;

/** One `node --test`: each file is a separate process, and tests are identified by their position in it. */
class NodeTestRun {
  readonly #publisher: Publisher;
  readonly #names = new Identities();
  readonly #lanes = new Lanes();
  readonly #passes: LaneBook;
  readonly #files = new Map<string, File>();
  #waiting: Entry | null = null;

  constructor(publisher: Publisher) {
    this.#publisher = publisher;
    this.#passes = new LaneBook(publisher);
    publisher.begin();
    publisher.beforeEnd = () => {
      for (const file of this.#files.values()) this.#expectUnfinished(file);
    };
  }

  take(type: string, data: TestData): void {
    if (type === 'test:stdout' || type === 'test:stderr') this.#print(data, type === 'test:stdout');
    if (type !== 'test:enqueue' && type !== 'test:dequeue' && type !== 'test:complete') return;
    if (isFile(data, this.#publisher.folder)) {
      if (type === 'test:enqueue') this.#publisher.expectFiles([data.file ?? '']);
      if (type === 'test:dequeue') this.#startFile(data);
      if (type === 'test:complete') this.#endFile(data);
      return;
    }
    const file = this.#file(data.entryFile ?? data.file ?? '');
    if (type === 'test:enqueue') this.#enqueue(file, data);
    else if (type === 'test:dequeue') this.#start(file, data);
    else this.#end(file, data);
  }

  #file(named: string): File {
    const path = resolve(this.#publisher.folder, named);
    const known = this.#files.get(path);
    if (known) return known;
    const made = newFile(path);
    this.#files.set(path, made);
    return made;
  }

  /** Output is reported by file. While a single test runs, it belongs to that test; a failure gets everything its file printed. */
  #print({ file: path = '', entryFile, message = '' }: TestData, isOut: boolean): void {
    const file = this.#file(entryFile ?? path);
    const stream = isOut ? 'stdout' : 'stderr';
    file.printed.add(message, stream);
    const open = file.tree.open().filter((entry) => entry.data.type !== 'suite' && !entry.hasChildren);
    if (open.length !== 1 || !open[0]) return;
    open[0].output ??= new Output();
    open[0].output.add(message, stream);
  }

  #startFile({ file: path = '' }: TestData): void {
    const file = this.#file(path);
    file.lane = this.#lanes.take(file.path);
    this.#passes.start(file.lane);
  }

  #enqueue(file: File, data: TestData): void {
    this.#publisher.fileKnown(file.path);
    const entry = file.tree.enqueue(data);
    if (entry.parent && this.#waiting === entry.parent) this.#waiting = null;
    if (data.type === 'suite') return;
    this.#name(file, entry);
    if (data.type !== undefined && entry.test) this.#publisher.expect([this.#count(file, entry, entry.test)]);
  }

  #name(file: File, entry: Entry): Test {
    const { line, column, tags } = entry.data;
    entry.test ??= this.#names.make({
      file: this.#short(file),
      titles: titlesOf(entry),
      ...{ line: line ?? null, column: column ?? null, tags: tags ?? [] },
    });
    return entry.test;
  }

  #count(file: File, entry: Entry, test: Test): Test {
    if (!entry.counted) file.tests.push(test);
    entry.counted = true;
    return test;
  }

  #start(file: File, data: TestData): void {
    this.#flushWaiting();
    const entry = file.tree.dequeue(data);
    if (!entry?.test) return;
    if (file.lane !== null) this.#passes.add(file.lane, entry.test);
    if (entry.data.type === 'test') {
      this.#publisher.start(entry.test);
      return;
    }
    // Node 20 does not report whether this is a suite; if it is, its first test is queued before anything else happens.
    this.#waiting = entry;
    setTimeout(() => guarded(() => this.#flushWaiting(entry), undefined), 100).unref();
  }

  #flushWaiting(only: Entry | null = this.#waiting): void {
    if (this.#waiting === null || this.#waiting !== only) return;
    this.#waiting = null;
    if (only.test) this.#publisher.start(only.test);
  }

  #end(file: File, data: TestData): void {
    const entry = file.tree.complete(data);
    if (this.#waiting === entry || this.#waiting === entry.parent) this.#waiting = null;
    else this.#flushWaiting();
    const { passed, type, error } = data.details ?? {};
    const isSuite = type === 'suite' || entry.data.type === 'suite';
    if (error?.failureType === 'cancelledByParent' && data.nesting > 0) {
      file.tree.cancel(entry, data.details);
      return;
    }
    const hook = hookIn(error);
    for (const kept of entry.cancelled) this.#endCancelled(file, kept, hook, entry);
    if (isSuite && hook && !passed) this.#hookFailed(file, entry, hook, error);
    if (!isSuite) this.#endTest(file, entry, data);
  }

  #endTest(file: File, entry: Entry, { details = {}, skip, todo }: TestData): void {
    const test = this.#count(file, entry, this.#name(file, entry));
    const skipped = skip !== undefined || todo !== undefined;
    const errors = details.passed || skipped ? [] : failuresIn(this.#publisher, details.error, entry.data);
    this.#publisher.end(test, {
      state: skipped ? 'skipped' : details.passed ? 'passed' : 'failed',
      durationMs: details.duration_ms ?? null,
      errors,
      output: errors.length > 0 ? file.printed.parts() : (entry.output?.take() ?? []),
      rerun: errors.length > 0 ? rerunOf(this.#publisher, entry, test) : null,
      skipReason: reasonIn(skip) ?? reasonIn(todo),
      todo: todo !== undefined,
    });
  }

  /** Ended with its outer suite. */
  #endCancelled(file: File, entry: Entry, hook: string, around: Entry): void {
    const test = this.#count(file, entry, this.#name(file, entry));
    const { error } = entry.data.details ?? {};
    if (hook) {
      const skipReason = notRun(hook, around.data.name);
      this.#publisher.end(test, { state: 'skipped', durationMs: null, skipReason });
    } else this.#publisher.end(test, { state: 'aborted', errors: failuresIn(this.#publisher, error, entry.data) });
  }

  #hookFailed(file: File, suite: Entry, hook: string, error: NodeError | undefined): void {
    const { line = null, column = null } = suite.data;
    const titles = hookTitles(titlesOf(suite), `${hook} hook`);
    const test = this.#names.make({ file: this.#short(file), titles, line, column });
    const errors = failuresIn(this.#publisher, error, suite.data);
    this.#publisher.end(test, { state: 'failed', durationMs: null, errors });
  }

  #endFile(data: TestData): void {
    const file = this.#file(data.file ?? '');
    const { passed, error } = data.details ?? {};
    this.#flushWaiting();
    this.#expectUnfinished(file);
    const lost = file.tests.filter((test) => !this.#publisher.ended(test));
    const broken = passed === false && error?.failureType !== 'subtestsFailed';
    // Node reports a file as passed if its process exits with 0 in the middle of a test.
    const crashed = lost.length > 0 || Boolean(error?.signal);
    this.#publisher.fileKnown(file.path);
    if (crashed) this.#workerDied(file, lost, error ?? {});
    else if (broken) this.#fileFailed(file, error);
    else if (file.tests.length === 0) this.#publisher.end(this.#wholeFile(file), { state: 'passed' });
    if (file.lane !== null) this.#passes.end(file.lane, crashed);
    this.#lanes.free(file.path);
    this.#files.delete(file.path);
  }

  #expectUnfinished(file: File): void {
    const tests = file.tree.unfinishedTests().map((entry) => this.#count(file, entry, this.#name(file, entry)));
    this.#publisher.expect(tests);
  }

  #workerDied(file: File, lost: readonly Test[], error: NodeError): void {
    const open = new Set(this.#publisher.open().map((test) => test.uid));
    const victims = lost.filter((test) => open.has(test.uid));
    const fault = deathOf({ file: this.#short(file), victims, lost: lost.length, cause: causeOf(error) });
    const output = file.printed.parts();
    const standardError = textOf(output).slice(-4_000) || null;
    this.#publisher.fault(file.lane, fault, { exitCode: error.exitCode ?? null, standardError });
    for (const test of victims) this.#publisher.end(test, { state: 'aborted', failure: saidFailure(fault), output });
  }

  /** Node counts a file without tests as one test. */
  readonly #wholeFile = (file: File): Test => this.#names.make({ file: this.#short(file), titles: [wholeFile] });

  readonly #short = ({ path }: File): string => relativeTo(this.#publisher.root, path);

  /** A file that fails without a failing test: it does not load, or failed after its tests. */
  #fileFailed(file: File, error: NodeError | undefined): void {
    const output = file.printed.parts();
    const failure = failureOf(thrownIn(textOf(output)) ?? error?.cause ?? error, this.#publisher.root);
    this.#publisher.end(this.#wholeFile(file), { state: 'failed', durationMs: null, failure, output });
  }
}

// Node starts the first test files before it uses its reporters, so the path is set on load. A test that loads this file must not set another one.
const isRunner = process.execArgv.includes('--test');
const ahead = isRunner ? traceAhead() : null;
if (isRunner || process.env.SIGNALBOX_TOUCHED === undefined) nameSpool();

/** The node:test reporter: `--test-reporter=signalbox-publisher/node-test`, beside the one that prints. */
export default async function* signalboxReporter(source: Source): AsyncGenerator<string, void> {
  const refused = isRefused('Node', process.versions.node, 20);
  const publisher = publisherWith({ tool: 'node-test', mode: 'supervised' }, ahead);
  const run = refused ? null : guarded(() => new NodeTestRun(publisher), null);
  // Always reads to the end: Node ends a run if its reporter returns early.
  for await (const { type, data } of source) {
    if (publisher.alive) guarded(() => run?.take(type, data as TestData), undefined);
  }
  await publisher.close();
  // A reporter must be a generator; this one yields nothing.
  if (publisher.runId === '') yield '';
}
