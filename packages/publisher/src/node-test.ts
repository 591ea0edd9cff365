import { resolve } from 'node:path';
import { type Failure, failureOf, relativeTo } from './failure.ts';
import { guarded } from './guard.ts';
import { Identities, type Test } from './identity.ts';
import { LaneBook } from './lane-book.ts';
import { Lanes } from './lanes.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { pattern, quoted } from './rerun.ts';
import { nameSpool } from './touched.ts';
import { deathOf } from './worker-death.ts';

// The parts of node:test's events that are used. Node 20 tells neither `type` nor `entryFile`.
type Details = { duration_ms?: number; passed?: boolean; type?: string; error?: NodeError };
type NodeError = { message?: string; failureType?: string; cause?: unknown; exitCode?: number | null; signal?: string };
type TestData = {
  name: string;
  nesting: number;
  file?: string;
  entryFile?: string;
  line?: number | null;
  column?: number;
  type?: string;
  skip?: unknown;
  todo?: unknown;
  details?: Details;
  message?: string;
};
type Source = AsyncIterable<{ type: string; data: unknown }>;

type Entry = { test: Test; titles: string[]; data: TestData };
type File = {
  path: string;
  entries: Map<string, Entry>;
  titles: string[];
  /** Names of what has tests inside. */
  containers: Set<string>;
  tests: Test[];
  printed: string[];
  lane: number | null;
};

/** One `node --test`: each file is a process of its own, and its tests are told apart by where they stand. */
class NodeTestRun {
  readonly #publisher: Publisher;
  readonly #names = new Identities();
  readonly #lanes = new Lanes();
  readonly #passes: LaneBook;
  readonly #files = new Map<string, File>();
  #waiting: Test | null = null;

  constructor(publisher: Publisher) {
    this.#publisher = publisher;
    this.#passes = new LaneBook(publisher);
    publisher.begin();
  }

  take(type: string, data: TestData): void {
    if (type === 'test:stdout' || type === 'test:stderr') this.#print(data);
    if (type !== 'test:enqueue' && type !== 'test:dequeue' && type !== 'test:complete') return;
    if (this.#isFile(data)) {
      if (type === 'test:dequeue') this.#startFile(data);
      if (type === 'test:complete') this.#endFile(data);
      return;
    }
    const file = this.#file(data.entryFile ?? data.file ?? '');
    if (type === 'test:enqueue') this.#enqueue(file, data);
    else if (type === 'test:dequeue') this.#start(file, data);
    else this.#end(file, data);
  }

  #isFile({ name, file = '', nesting, entryFile }: TestData): boolean {
    return (
      nesting === 0 && entryFile === undefined && (name === file || resolve(this.#publisher.folder, name) === file)
    );
  }

  #file(path: string): File {
    const known = this.#files.get(path);
    if (known) return known;
    const made = {
      path,
      entries: new Map(),
      titles: [],
      containers: new Set<string>(),
      tests: [],
      printed: [],
      lane: null,
    };
    this.#files.set(path, made);
    return made;
  }

  #print({ file = '', entryFile, message = '' }: TestData): void {
    const { printed } = this.#file(entryFile ?? resolve(this.#publisher.folder, file));
    printed.push(message);
    if (printed.length > 400) printed.splice(0, 200);
  }

  #startFile({ file: path = '' }: TestData): void {
    const file = this.#file(path);
    file.lane = this.#lanes.take(path);
    this.#passes.start(file.lane);
  }

  #enqueue(file: File, data: TestData): void {
    file.titles.length = Math.min(file.titles.length, data.nesting);
    const titles = [...file.titles, data.name];
    file.containers.add(file.titles.join('\n'));
    this.#waiting = null;
    if (data.type === 'suite') return;
    const test = this.#names.make(relativeTo(this.#publisher.folder, file.path), titles, data.line ?? null);
    file.entries.set(keyOf(data), { test, titles, data });
    if (data.type === undefined) return;
    file.tests.push(test);
    this.#publisher.expect([test]);
  }

  #start(file: File, data: TestData): void {
    file.titles.length = data.nesting;
    file.titles.push(data.name);
    this.#flushWaiting();
    const entry = file.entries.get(keyOf(data));
    if (!entry) return;
    if (file.lane !== null) this.#passes.add(file.lane, entry.test);
    if (entry.data.type === 'test') {
      this.#publisher.start(entry.test);
      return;
    }
    // Node 20 does not say whether this is a suite; if it is, its first test is queued before anything else happens.
    this.#waiting = entry.test;
    setTimeout(() => guarded(() => this.#flushWaiting(entry.test), undefined), 100).unref();
  }

  #flushWaiting(only: Test | null = this.#waiting): void {
    if (this.#waiting === null || this.#waiting !== only) return;
    this.#waiting = null;
    this.#publisher.start(only);
  }

  #end(file: File, data: TestData): void {
    this.#flushWaiting();
    const { duration_ms: durationMs = null, passed, type, error } = data.details ?? {};
    const entry = file.entries.get(keyOf(data));
    file.entries.delete(keyOf(data));
    if (!entry || type === 'suite') return;
    if (entry.data.type === undefined) file.tests.push(entry.test);
    const skipped = data.skip !== undefined || data.todo !== undefined;
    const failure = passed || skipped ? null : this.#failure(error, data);
    this.#publisher.end(entry.test, {
      state: skipped ? 'skipped' : passed ? 'passed' : 'failed',
      durationMs,
      failure,
      output: failure ? file.printed : [],
      rerun: failure ? rerunOf(entry) : null,
    });
  }

  #failure(error: NodeError | undefined, { file = '', line = null }: Partial<TestData>): Failure {
    const cause = error?.cause;
    const failure = failureOf(typeof cause === 'object' && cause !== null ? cause : error, this.#publisher.folder);
    return failure.line === null ? { ...failure, file: relativeTo(this.#publisher.folder, file), line } : failure;
  }

  #endFile(data: TestData): void {
    const file = this.#file(data.file ?? '');
    const { passed, error } = data.details ?? {};
    this.#flushWaiting();
    this.#expectUnfinished(file);
    const lost = file.tests.filter((test) => !this.#publisher.ended(test));
    const broken = passed === false && error?.failureType !== 'subtestsFailed';
    // Node calls a file passed whose process left with 0 in the middle of a test.
    const crashed = lost.length > 0 || Boolean(error?.signal);
    if (crashed) this.#workerDied(file, lost, error ?? {});
    else if (broken) this.#fileFailed(file, error);
    else if (file.tests.length === 0) this.#publisher.end(this.#wholeFile(file), { state: 'passed' });
    if (file.lane !== null) this.#passes.end(file.lane, crashed);
    this.#lanes.free(file.path);
    this.#files.delete(file.path);
  }

  /** Node 20: what is left and has nothing inside is a test, which could not be told from a suite before. */
  #expectUnfinished(file: File): void {
    for (const { test, titles, data } of file.entries.values()) {
      if (data.type !== undefined || file.containers.has(titles.join('\n'))) continue;
      file.tests.push(test);
      this.#publisher.expect([test]);
    }
  }

  #workerDied(file: File, lost: readonly Test[], { signal, exitCode = null }: NodeError): void {
    const open = new Set(this.#publisher.open().map((test) => test.uid));
    const victims = lost.filter((test) => open.has(test.uid));
    const left = exitCode === null ? 'its process left in the middle' : `it left with exit code ${exitCode}`;
    const cause = signal ? `killed by ${signal}` : left;
    const short = relativeTo(this.#publisher.folder, file.path);
    const fault = deathOf({ file: short, victims, lost: lost.length, cause });
    this.#publisher.fault(file.lane, fault, {
      exitCode,
      standardError: file.printed.join('').slice(-4_000) || null,
    });
    const failure = failureOf(fault, this.#publisher.folder);
    for (const test of victims) this.#publisher.end(test, { state: 'aborted', failure, output: file.printed });
  }

  /** Node counts a file without tests as one. */
  #wholeFile(file: File): Test {
    return this.#names.make(relativeTo(this.#publisher.folder, file.path), ['(file)'], null);
  }

  /** A file that fails without a failing test: it does not load, or something broke after its tests. */
  #fileFailed(file: File, error: NodeError | undefined): void {
    const test = this.#wholeFile(file);
    const said = file.printed.join('').trim();
    const stack = said.slice(said.search(/^\w*Error\b/m));
    const failure = this.#failure(
      { ...error, cause: said ? { message: stack.split('\n')[0], stack } : error?.cause },
      {
        file: file.path,
      },
    );
    this.#publisher.end(test, { state: 'failed', durationMs: null, failure, output: file.printed });
  }
}

const rerunOf = ({ test, titles }: Entry) =>
  `node --test --test-name-pattern=${quoted(`^${pattern(titles.join(' '))}$`)} ${quoted(test.file ?? '')}`;

const keyOf = ({ nesting, line, column, name, file }: TestData) => `${nesting} ${line}:${column} ${file} ${name}`;

// Node starts the first files before it asks its reporters for anything.
nameSpool();

/** The node:test reporter: `--test-reporter=signalbox-publisher/node-test`, beside the one that prints. */
export default async function* signalboxReporter(source: Source): AsyncGenerator<string, void> {
  const publisher = createPublisher({ tool: 'node-test', mode: 'supervised' });
  const run = guarded(() => new NodeTestRun(publisher), null);
  for await (const { type, data } of source) {
    if (publisher.alive) guarded(() => run?.take(type, data as TestData), undefined);
  }
  await publisher.close();
  // A reporter is a generator; this one has nothing to say.
  if (publisher.runId === '') yield '';
}
