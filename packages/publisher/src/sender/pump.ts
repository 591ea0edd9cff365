import type { Queue } from './queue.ts';

const batchEvents = 200;
const batchBytes = 2_000_000;
const answerMs = 5_000;
/** After a pause, events are sent after this delay, together with those that follow closely. */
const gatherMs = 25;
/** Ten requests a second cost almost nothing, and a killed run loses at most this much. */
const betweenMs = 100;
/** How long an ended run is kept for an unreachable console, if its process lives that long. */
const afterwardsMs = 60_000;
/** The duration of one step of a wait, and the number of steps. */
const stepMs = 50;
const steps = 50;

/** Posts one batch and returns the status; throws if no answer came. */
type Client = { post(body: string, withinMs: number): Promise<number> };

type Verdict = 'sent' | 'again' | 'smaller' | 'stop';

/** 401, 403 and the console's own 404 will not change during this run; any other refusal concerns only this batch. */
function verdictOf(status: number, events: number): Verdict {
  if (status >= 200 && status < 300) return 'sent';
  if (status === 401 || status === 403 || status === 404) return 'stop';
  if (status === 413 && events > 1) return 'smaller';
  return status >= 500 || status === 408 || status === 429 ? 'again' : 'sent';
}

/** Sends one batch at a time, in order; waits longer after each failure and never gives up during the run. */
export class Pump {
  readonly #queue: Queue;
  readonly #client: Client;
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

  /** `probeMs` is the timeout of the first ping, and the minimum for the last events. */
  constructor(queue: Queue, client: Client, onStop: () => void, probeMs = 0) {
    this.#queue = queue;
    this.#client = client;
    this.#onStop = onStop;
    this.#probeMs = probeMs;
  }

  /** Called when there may be something to send. */
  wake(): void {
    if (this.#stopped || this.#running || this.#queue.size === 0) return;
    this.#running = this.#run().finally(() => {
      this.#running = null;
      if (this.#stopped) this.#onStop();
      // Set when events were queued after the pump last checked.
      else if (!this.#draining) this.wake();
    });
  }

  /** Sends the remaining events, and resolves when they are sent or waiting longer is pointless. */
  async drain(): Promise<void> {
    this.#draining = true;
    // A console that is already slow gets little more time; a healthy one gets enough for the remaining events.
    const slow = this.#askedAt > 0 && Date.now() - this.#askedAt > Math.max(750, this.#probeMs);
    const healthy = Math.max(this.#answered ? 2_000 : 500, this.#probeMs);
    this.#hurry();
    this.wake();
    const patience = deadline(this.#failures > 0 || slow ? 100 : healthy);
    await Promise.race([this.#running ?? Promise.resolve(), patience.over]);
    patience.end();
  }

  /** Continues where `drain` gave up; resolves when everything is sent, or the console was away for too long. */
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

/** A wait that can be cut short. A long wait consists of steps, so that a busy machine delays the deadline too. */
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
