import type { ConsoleClient } from './console-client.ts';
import type { Queue } from './queue.ts';

const batchEvents = 200;
const batchBytes = 2_000_000;
const answerMs = 5_000;
/** After a silence events are sent this soon, together with those that follow closely. */
const gatherMs = 25;
/** Ten requests a second cost next to nothing; a killed run loses no more than this. */
const betweenMs = 100;
/** A run that has ended is kept this long for a console that is away, if its process lives that long. */
const afterwardsMs = 60_000;
/** The steps of a wait. */
const stepMs = 50;
const steps = 50;

type Verdict = 'sent' | 'again' | 'smaller' | 'stop';

/** 401, 403 and 404 will not change during this run; any other refusal is about this batch alone. */
function verdictOf(status: number, events: number): Verdict {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 401 || status === 403 || status === 404) return 'stop';
  if (status === 413 && events > 1) return 'smaller';
  return status >= 500 || status === 429 ? 'again' : 'sent';
}

/** Sends one batch at a time, in order; waits longer after each failure and never gives up while the run goes on. */
export class Pump {
  readonly #queue: Queue;
  readonly #client: Pick<ConsoleClient, 'post'>;
  readonly #onStop: () => void;
  #running: Promise<void> | null = null;
  #draining = false;
  #stopped = false;
  #failures = 0;
  #askedAt = 0;
  #sentAt = 0;
  #answered = false;
  #limit = batchEvents;
  readonly #probeMs: number;
  #hurry: () => void = () => undefined;

  /** `probeMs` is what the console was given to answer the first question, and is given at least for what comes last. */
  constructor(queue: Queue, client: Pick<ConsoleClient, 'post'>, onStop: () => void, probeMs = 0) {
    this.#queue = queue;
    this.#client = client;
    this.#onStop = onStop;
    this.#probeMs = probeMs;
  }

  /** There may be something to send. */
  wake(): void {
    if (this.#stopped || this.#running || this.#queue.size === 0) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (this.#stopped) this.#onStop();
      // What came after the last look, when this run was no longer looking.
      else if (!this.#draining) this.wake();
    });
  }

  /** Sends what is left and resolves when it is sent or when waiting for the console makes no more sense. */
  async drain(): Promise<void> {
    this.#draining = true;
    // A console that already keeps us waiting is given little more; a healthy one is given time for what is left.
    const slow = this.#askedAt > 0 && Date.now() - this.#askedAt > Math.max(750, this.#probeMs);
    const healthy = Math.max(this.#answered ? 2_000 : 500, this.#probeMs);
    this.#hurry();
    this.wake();
    const patience = deadline(this.#failures > 0 || slow ? 100 : healthy);
    await Promise.race([this.#running ?? Promise.resolve(), patience.over]);
    patience.end();
  }

  /** Goes on where `drain` gave up waiting; resolves when all is sent, or when the console was away for too long. */
  async finish(): Promise<void> {
    this.#draining = false;
    this.wake();
    const patience = deadline(afterwardsMs);
    void patience.over.then(() => {
      this.#stopped = true;
      this.#hurry();
    });
    while (this.#running && !this.#stopped) await Promise.race([this.#running, patience.over]);
    patience.end();
  }

  async #run(): Promise<void> {
    while (this.#queue.size > 0 && !this.#stopped) {
      if (this.#failures > 0) await this.#pause(Math.min(10_000, 125 * 2 ** this.#failures));
      else if (!this.#draining && this.#queue.size < this.#limit)
        await this.#pause(Math.max(gatherMs, this.#sentAt + betweenMs - Date.now()));
      if (this.#draining && this.#failures > 1) break;
      await this.#sendOne();
    }
  }

  async #sendOne(): Promise<void> {
    const batch = this.#queue.take(this.#limit, batchBytes);
    const body = `{"events":[${batch.map((item) => item.json).join(',')}]}`;
    this.#askedAt = this.#sentAt = Date.now();
    const status = await this.#client.post(body, answerMs).catch(() => 503);
    this.#askedAt = 0;
    const verdict = verdictOf(status, batch.length);
    if (verdict === 'again') this.#failures++;
    else this.#answered = true;
    if (verdict === 'sent') this.#failures = 0;
    if (verdict === 'stop') this.#stopped = true;
    if (verdict === 'smaller') this.#limit = Math.max(1, this.#limit >> 1);
    if (verdict === 'again' || verdict === 'smaller') this.#queue.putBack(batch);
  }

  #pause(ms: number): Promise<void> {
    const { over, end } = deadline(ms);
    this.#hurry = end;
    return over;
  }
}

/** A wait that can be cut short. A long one is made of steps: on a busy machine each is late, and so is the deadline. */
function deadline(ms: number): { over: Promise<void>; end: () => void } {
  let end: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    let left = Math.min(steps, Math.ceil(ms / stepMs));
    const timer = setInterval(() => --left <= 0 && end(), Math.max(1, ms / left));
    end = () => {
      clearInterval(timer);
      resolve();
    };
  });
  return { over, end };
}
