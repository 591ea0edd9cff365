import { randomUUID } from 'node:crypto';
import { Announcer } from './announcer.ts';
import { attachmentOf, type Left } from './attachment.ts';
import { readSettings, type Settings } from './environment.ts';
import { guarded } from './guard.ts';
import type { Test } from './identity.ts';
import { iso } from './iso.ts';
import type { Printed } from './output.ts';
import { RunRecord, type Step, type Unaddressed, type Verdict } from './record.ts';
import { rootOf } from './run-facts.ts';
import { type Sender, startSender } from './sender.ts';
import { watchExit, watchSignals } from './signals.ts';
import { TestTrace } from './test-trace.ts';
import { TouchedTypes } from './touched.ts';

/** The options of a run. Everything else comes from the environment and the folder. */
export type PublisherOptions = {
  /** The name of the suite; default: the names of package and tool. */
  suite?: string;
  /** The test tool, for the name of the suite. */
  tool?: string;
  /** `in-process`, or `supervised` if the tool runs its tests in workers. */
  mode?: string;
  /** The folder of the run; default: the working directory. */
  folder?: string;
  /** The node that the run proves, as `plan/node`; default: `SIGNALBOX_RUN_TAG`. */
  tag?: string;
  /** The console's address; default: `SIGNALBOX_URL`, else this machine's. */
  url?: string;
  /** The console's token; default: `SIGNALBOX_TOKEN`. */
  token?: string;
};

/** How a run ended, apart from its tests. */
export type Closing = {
  /** Makes the run fail although every test passed, such as for an error outside the tests. */
  failed?: boolean;
  /** The signal that ended it, if the runner knows it and this process did not receive it. */
  interrupted?: string | null;
};

const leaving = 'The run ended before this test had a verdict.';

/** One run, as it is sent to the console. Without a console every method does nothing. */
export class Publisher {
  readonly runId: string;
  readonly folder: string;
  /** The repository's folder; file names are relative to it. */
  readonly root: string;
  /** Called before tests without a verdict are counted, however the run ends. */
  beforeEnd: () => void = () => undefined;
  readonly #announcer: Announcer | null;
  readonly #record = new RunRecord((event) => this.publish(event));
  readonly #sender: Sender | null;
  /** Files with tests not known yet: each counts as at least one. */
  readonly #files = new Set<string>();
  readonly #trace: TestTrace | null;
  #touched: TouchedTypes | null = null;
  #faults = 0;
  #over = false;
  #interrupted: string | null = null;
  #stopWatching: () => void = () => undefined;
  #forgetExit: () => void = () => undefined;

  constructor(options: PublisherOptions, settings: Settings | null, trace: TestTrace | null = null) {
    this.runId = trace?.runId ?? settings?.runId ?? randomUUID();
    this.folder = options.folder ?? process.cwd();
    this.root = rootOf(this.folder);
    const startedAt = Date.now();
    const around = settings && { settings, names: options, folder: this.folder, startedAt };
    this.#announcer = around && new Announcer(around, (event) => this.publish(event));
    const eachTest = (options.mode ?? 'in-process') === 'in-process';
    this.#trace = settings && (trace ?? new TestTrace(this.runId, settings.parent, eachTest));
    this.#sender = settings === null ? null : this.#start(settings, startedAt);
    if (!this.#sender) return;
    this.#touched = new TouchedTypes(this.root);
    this.#forgetExit = watchExit(() => this.#leave());
  }

  /** False once no console was found; adapters then skip the work. */
  get alive(): boolean {
    return !this.#over && this.#sender?.alive === true;
  }

  /** Reports the start of the run. `total` is the number of tests, if already known. */
  begin(total: number | null = null): void {
    if (!this.alive) return;
    this.#announcer?.announce(total);
    this.#stopWatching();
    this.#stopWatching = watchSignals(
      (signal) => {
        this.#interrupted ??= signal;
      },
      () => this.#leave(),
    );
  }

  /** Reports which files will run, before their tests are known. */
  expectFiles(files: readonly string[]): void {
    if (!this.alive) return;
    for (const file of files) this.#files.add(file);
    this.#announcer?.announce(this.#total());
  }

  /** Reports the tests of a file. */
  fileKnown(file: string): void {
    this.#files.delete(file);
  }

  /** Reports which tests will run; those without a verdict at the end are lost. */
  expect(tests: readonly Test[]): void {
    if (!this.alive) return;
    this.#record.expect(tests);
    this.#announcer?.grown(this.#total());
  }

  /** One attempt of a test begins. */
  start(test: Test, attempt?: number): void {
    if (!this.alive) return;
    this.#record.start(test, attempt);
    this.#trace?.start(test.uid, this.#record.attemptOf(test.uid));
  }

  /** Begins a step of the running test; returns the number that ends it. */
  startStep(test: Test, step: Step): number {
    return this.alive ? this.#record.startStep(test, step) : 0;
  }

  /** A step ends. */
  endStep(...args: Parameters<RunRecord['endStep']>): void {
    if (this.alive) this.#record.endStep(...args);
  }

  /** Reports the verdict of the running attempt. */
  end(test: Test, verdict: Verdict): void {
    if (!this.alive) return;
    this.#record.end(test, { touched: this.#touched?.by(test) ?? [], ...verdict });
    this.#trace?.end(test.uid);
    this.#announcer?.grown(this.#total());
  }

  /** Sends the output of a test if it is known only after the verdict. */
  addOutput(test: Test, output: readonly Printed[]): void {
    if (!this.alive || output.length === 0) return;
    const number = this.#record.startStep(test, { stepId: 'output', kind: 'TearDown', text: 'output' });
    this.#record.endStep(test, 'output', number, { status: 'ok', durationMs: 0, output });
  }

  /** Sends a file of the running attempt, or of the last one. */
  attach(test: Test, left: Left): void {
    if (this.alive) this.publish(attachmentOf(test.uid, this.#record.attemptOf(test.uid), left));
  }

  /** Whether a test already has its verdict. */
  ended(test: Test): boolean {
    return this.#record.ended(test.uid);
  }

  /** Tests under way. */
  open(): Test[] {
    return this.#record.open();
  }

  /** A lane begins with these tests, in the worker of that process if it is known. */
  startLane(lane: number, tests: readonly Test[], at = Date.now()): void {
    this.publish({ type: 'lane_started', lane, uids: tests.map((test) => test.uid), at: iso(at), ...this.#who() });
  }

  /** A lane has finished, or its worker died. */
  endLane(lane: number, outcomes: number, crashed = false): void {
    this.publish({ type: 'lane_finished', lane, outcomes, crashed, at: now(), ...this.#who() });
  }

  /** A lane continues in a fresh worker. */
  startWorker(lane: number, purpose: 'Lane' | 'Recycled', worker: number | null): void {
    const at = now();
    this.publish({ type: 'worker_started', lane, purpose, processId: null, at, ...this.#who() });
    if (purpose === 'Lane') return;
    this.publish({ type: 'resource_recycled', resource: `worker ${worker} of lane ${lane}`, at, ...this.#who() });
  }

  /** A worker died. `fault` explains what happened and to which test. */
  fault(
    lane: number | null,
    fault: string,
    more: { exitCode?: number | null; standardError?: string | null } = {},
  ): void {
    this.#faults++;
    const { exitCode = null, standardError = null } = more;
    this.publish({ type: 'worker_faulted', lane, fault, exitCode, standardError, at: now(), ...this.#who() });
  }

  /** Sends any event of this run. */
  publish(event: Unaddressed): void {
    if (this.alive) this.#sender?.send({ ...event, runId: this.runId });
  }

  /** Ends the run. Resolves when everything was sent or given up. */
  async close(closing: Closing = {}): Promise<void> {
    if (this.#over) return;
    guarded(() => this.#finish(closing), undefined);
    this.#over = true;
    this.#trace?.close();
    this.#stopWatching();
    this.#forgetExit();
    await this.#sender?.drain();
  }

  #who(): { participant?: string } {
    const { name } = this.#announcer?.participant ?? {};
    return name === undefined ? {} : { participant: name };
  }

  #start({ url, token, owned, shard, probeMs, stallMs }: Settings, startedAt: number): Sender | null {
    const { runId, root } = this;
    // With several processes, none of them knows the progress of the whole run.
    const counts = !owned && shard === null;
    const console = { url, token, probeMs };
    const traceparent = this.#trace?.parent ?? null;
    const run = { runId, root, counts, stallMs, startedAt, traceparent, ...this.#who() };
    const here = { processId: process.pid, searchPath: process.env.PATH ?? '' };
    return guarded(() => startSender({ ...console, ...run, ...here }), null);
  }

  #total(): number {
    return this.#record.total + this.#files.size;
  }

  /** 2 means missing results and takes precedence over 1, a failure. */
  #finish({ failed: failedOutside = false, interrupted = null }: Closing, why = leaving): void {
    const announcer = this.#announcer;
    if (!this.alive || !announcer?.begun) return;
    guarded(this.beforeEnd, undefined);
    const { missing, ...counted } = this.#record.close(why);
    const total = Math.max(this.#total(), announcer.total);
    if (total !== announcer.total) announcer.announce(total);
    const signal = this.#interrupted ?? interrupted;
    const isPartial = missing > 0 || total > this.#record.total || signal !== null;
    const { failed } = counted;
    const exitCode = isPartial || (this.#faults > 0 && failed > 0) ? 2 : failed > 0 || failedOutside ? 1 : 0;
    announcer.finish({ exitCode, ...counted, indeterminate: 0, interrupted: signal });
  }

  /** The process exits without closing the run, so it is closed here. */
  #leave(): void {
    if (this.#over) return;
    this.#finish({ failed: true });
    this.#over = true;
    this.#sender?.drainNow();
  }
}

const now = () => iso(Date.now());

/**
 * Publishes a run of any test tool: `begin`, then `start` and `end` for each test, then `await close()`. It never throws,
 * never waits for the console, prints nothing and keeps no process alive.
 */
export const createPublisher = (options: PublisherOptions = {}): Publisher => publisherWith(options, null);

/** For a runner that starts workers before reporters: sets the trace of the coming run for them. */
export function traceAhead(): TestTrace | null {
  return guarded(() => {
    const settings = readSettings(process.env);
    return settings && new TestTrace(settings.runId ?? randomUUID(), settings.parent, false);
  }, null);
}

/** `trace` is the one that was set in advance. */
export function publisherWith(options: PublisherOptions, trace: TestTrace | null): Publisher {
  const open = () => new Publisher(options, readSettings(process.env, options), trace);
  return guarded(open, null) ?? new Publisher(options, null);
}
