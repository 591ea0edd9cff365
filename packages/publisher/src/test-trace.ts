import { runSpanId, testSpanId, traceparentOf } from './trace.ts';

const variable = 'TRACEPARENT';

/** The run that sets the variable: one at a time, because a process has one environment. */
let owner: TestTrace | null = null;

/**
 * Gives tests the trace of their run in `TRACEPARENT`, so that a service under test continues it. Workers get the run's
 * trace; tests that run in this process, one after the other, each get their own.
 */
export class TestTrace {
  readonly runId: string;
  /** The trace that the run itself continues. */
  readonly parent: string | null;
  readonly #eachTest: boolean;
  readonly #before: string | undefined;
  readonly #open = new Map<string, number>();

  constructor(runId: string, parent: string | null, eachTest: boolean) {
    this.runId = runId;
    // A value set by another run of this process must not be used.
    this.parent = owner ? owner.parent : parent;
    this.#eachTest = eachTest;
    this.#before = process.env[variable];
    if (owner) return;
    owner = this;
    this.#set();
  }

  start(uid: string, attempt: number): void {
    if (!this.#eachTest) return;
    this.#open.set(uid, attempt);
    this.#set();
  }

  end(uid: string): void {
    if (this.#open.delete(uid)) this.#set();
  }

  /** Restores the previous value. */
  close(): void {
    if (owner !== this) return;
    owner = null;
    if (this.#before === undefined) delete process.env[variable];
    else process.env[variable] = this.#before;
  }

  #set(): void {
    if (owner !== this) return;
    const [only] = this.#open.size === 1 ? this.#open : [];
    const spanId = only ? testSpanId(this.runId, ...only) : runSpanId(this.runId);
    process.env[variable] = traceparentOf(this.runId, this.parent, spanId);
  }
}
