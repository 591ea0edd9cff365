import { randomUUID } from 'node:crypto';
import { readSettings, type Settings } from './environment.ts';
import type { MonitorEvent } from './events.ts';
import { guarded } from './guard.ts';
import type { Test } from './identity.ts';
import { iso } from './iso.ts';
import { RunRecord, type Step, type Unaddressed, type Verdict } from './record.ts';
import { type RunFacts, readRunFacts } from './run-facts.ts';
import { type Sender, startSender } from './sender.ts';
import { TouchedTypes } from './touched.ts';

/** What a publisher may be told about its run. Everything else comes from the environment and the folder. */
export type PublisherOptions = {
  /** The name of the suite; the package's name and the tool's, when not given. */
  suite?: string;
  /** The test tool, for the name of the suite. */
  tool?: string;
  /** `in-process`, or `supervised` where the tool runs its tests in workers. */
  mode?: string;
  /** The folder of the run; where the process stands, when not given. */
  folder?: string;
};

/** How often a growing total is told again. */
const announceMs = 500;

const leaving = 'The run ended before this test had a verdict.';

/** One run, as it is told to the console. Without a console every method does nothing. */
export class Publisher {
  readonly runId: string;
  readonly folder: string;
  readonly #settings: Settings | null;
  readonly #options: PublisherOptions;
  readonly #record = new RunRecord((event) => this.publish(event));
  readonly #sender: Sender | null;
  readonly #startedAt = Date.now();
  #touched: TouchedTypes | null = null;
  #facts: RunFacts | null = null;
  #announced: { total: number | null; at: number } | null = null;
  #faults = 0;
  #over = false;
  readonly #onExit = () => guarded(() => this.#leave(), undefined);

  constructor(options: PublisherOptions, settings: Settings | null) {
    this.#options = options;
    this.#settings = settings;
    this.runId = settings?.runId ?? randomUUID();
    this.folder = options.folder ?? process.cwd();
    this.#sender = settings === null ? null : this.#start(settings);
    if (!this.#sender) return;
    this.#touched = new TouchedTypes(this.folder);
    // First in line: there are runners that leave from within their own listener.
    process.prependOnceListener('exit', this.#onExit);
  }

  /** False when it is known that nobody listens; adapters then save themselves the work. */
  get alive(): boolean {
    return !this.#over && this.#sender?.alive === true;
  }

  /** Tells that the run began. `total` is the number of tests where it is known already. */
  begin(total: number | null = null): void {
    this.#announce(total);
  }

  /** Tells which tests will run; those without a verdict at the end are lost. */
  expect(tests: readonly Test[]): void {
    if (!this.alive) return;
    this.#record.expect(tests);
    this.#announceGrowth();
  }

  /** One attempt of a test begins. */
  start(test: Test, attempt?: number): void {
    if (this.alive) this.#record.start(test, attempt);
  }

  /** A step of the test under way begins; the number it answers ends it. */
  startStep(test: Test, step: Step): number {
    return this.alive ? this.#record.startStep(test, step) : 0;
  }

  /** A step ends. */
  endStep(...args: Parameters<RunRecord['endStep']>): void {
    if (this.alive) this.#record.endStep(...args);
  }

  /** The attempt under way has its verdict. */
  end(test: Test, verdict: Verdict): void {
    if (!this.alive) return;
    this.#record.end(test, { touched: this.#touched?.by(test) ?? [], ...verdict });
    this.#announceGrowth();
  }

  /** Whether a test has its verdict already. */
  ended(test: Test): boolean {
    return this.#record.ended(test.uid);
  }

  /** Tests under way. */
  open(): Test[] {
    return this.#record.open();
  }

  /** A lane begins with these tests, in the worker of that process if it is known. */
  startLane(lane: number, tests: readonly Test[], at = Date.now()): void {
    this.publish({ type: 'lane_started', lane, uids: tests.map((test) => test.uid), at: iso(at) });
  }

  /** A lane is through, or its worker is gone. */
  endLane(lane: number, outcomes: number, crashed = false): void {
    this.publish({ type: 'lane_finished', lane, outcomes, crashed, at: now() });
  }

  /** A worker died. `fault` says for a person what happened and to which test. */
  fault(
    lane: number | null,
    fault: string,
    more: { exitCode?: number | null; standardError?: string | null } = {},
  ): void {
    this.#faults++;
    const { exitCode = null, standardError = null } = more;
    this.publish({ type: 'worker_faulted', lane, fault, exitCode, standardError, at: now() });
  }

  /** Sends any event of this run. */
  publish(event: Unaddressed): void {
    if (this.alive) this.#sender?.send({ ...event, runId: this.runId } as MonitorEvent);
  }

  /**
   * Ends the run. `failed` makes it red although every test passed (an error outside of the tests, say). Resolves when
   * the console has it all, or will not have it.
   */
  async close({ failed = false }: { failed?: boolean } = {}): Promise<void> {
    if (this.#over) return;
    guarded(() => this.#finish(failed), undefined);
    this.#over = true;
    process.removeListener('exit', this.#onExit);
    await this.#sender?.drain();
  }

  #start({ url, token, participant, probeMs, stallMs }: Settings): Sender | null {
    const { runId } = this;
    const startedAt = this.#startedAt;
    return guarded(
      () =>
        startSender({ url, token, runId, owner: !participant, probeMs, stallMs, startedAt, processId: process.pid }),
      null,
    );
  }

  #announceGrowth(): void {
    const { total } = this.#record;
    const last = this.#announced;
    if (last && total > (last.total ?? 0) && Date.now() - last.at >= announceMs) this.#announce(total);
  }

  #announce(total: number | null): void {
    if (!this.alive) return;
    this.#announced = { total, at: Date.now() };
    if (this.#settings === null || this.#settings.participant) return;
    this.#facts ??= readRunFacts(this.folder);
    const { repository, branch, packageName } = this.#facts;
    const { suite, tool, mode = 'in-process' } = this.#options;
    const { tag, session } = this.#settings;
    this.publish({
      type: 'run_started',
      suite: this.#settings.suite ?? suite ?? (tool ? `${packageName}:${tool}` : packageName),
      repository,
      branch,
      mode,
      startedAt: iso(this.#startedAt),
      totalScenarios: total,
      tag,
      session,
      command: null,
    });
  }

  /** 2 says that something is missing from the picture and outranks 1, a failure. */
  #finish(failedOutside: boolean, why = leaving): void {
    if (!this.alive || this.#announced === null) return;
    const { passed, failed, passedOnRetry, skipped, missing } = this.#record.close(why);
    const total = Math.max(this.#record.total, this.#announced.total ?? 0);
    if (total !== this.#announced.total) this.#announce(total);
    if (this.#settings?.participant) return;
    const isPartial = missing > 0 || total > this.#record.total;
    const exitCode = isPartial || (this.#faults > 0 && failed > 0) ? 2 : failed > 0 || failedOutside ? 1 : 0;
    const counts = { passed, failed, passedOnRetry, skipped, indeterminate: 0 };
    this.publish({ type: 'run_finished', exitCode, ...counts, finishedAt: now() });
  }

  /** The process leaves without having closed the run: whoever made it leave is not going to say so. */
  #leave(): void {
    if (this.#over) return;
    this.#finish(true);
    this.#over = true;
    this.#sender?.drainNow();
  }
}

const now = () => iso(Date.now());

/**
 * Publishes a run of any test tool: `begin`, then `start` and `end` for each test, then `await close()`. It never throws,
 * never waits for the console, prints nothing and keeps no process alive.
 */
export function createPublisher(options: PublisherOptions = {}): Publisher {
  return guarded(() => new Publisher(options, readSettings(process.env)), null) ?? new Publisher(options, null);
}
