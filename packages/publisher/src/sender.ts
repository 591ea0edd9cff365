import { Worker } from 'node:worker_threads';
import type { MonitorEvent } from './events.ts';
import { measure } from './guard.ts';
import { type ConsoleAddress, type Drained, type Message, phase, type RunSettings, slot } from './sender/shared.ts';
import { threadFile } from './sender/thread-file.ts';

/** How long a process waits on exit at most, even if the thread cannot run; longer if the console was given more time to answer. */
const drainMs = 2_500;
const stepMs = 50;
/** How long a thread without a run waits for the next one. */
const lingerMs = 5_000;

/** Passes events to the sending thread. Nothing here waits, throws or keeps the process alive. */
export type Sender = {
  /** False once no console was found. */
  readonly alive: boolean;
  send(event: MonitorEvent): void;
  /** Resolves when everything is sent or given up. */
  drain(): Promise<void>;
  /** The same for an exiting process, whose event loop no longer runs. */
  drainNow(): void;
};

/** A run of a thread; `onDrained` is called when everything was sent or given up. */
type Run = { state: Int32Array; onDrained: () => void };

/** Threads that accept another run, by console. */
const threads = new Map<string, Thread>();

/**
 * One sending thread per console, shared by all runs of this process: with one thread per run, thirty short runs
 * would end before their threads had started.
 */
class Thread {
  readonly #worker: Worker;
  readonly #key: string;
  readonly #runs = new Map<number, Run>();
  #opened = 0;
  #leaving: NodeJS.Timeout | undefined;

  constructor(key: string, console: ConsoleAddress) {
    this.#key = key;
    const started = performance.now();
    this.#worker = new Worker(threadFile, {
      workerData: console,
      // The runner's preloads and child settings must not apply to this thread.
      execArgv: [],
      env: {},
      name: 'signalbox-publisher',
    });
    measure('startMs', performance.now() - started);
    this.#worker.on('message', ({ drained }: Drained) => this.#drained(drained));
    this.#worker.on('error', () => this.#end());
    this.#worker.on('exit', () => this.#end());
    // Called after adding listeners, because a message listener would keep the process alive.
    this.#worker.unref();
  }

  open(settings: Omit<RunSettings, 'shared'>): { number: number; run: Run } {
    clearTimeout(this.#leaving);
    const shared = new SharedArrayBuffer(8);
    const number = this.#opened++;
    const run = { state: new Int32Array(shared), onDrained: () => undefined };
    this.#runs.set(number, run);
    this.post({ run: number, open: { ...settings, shared } });
    return { number, run };
  }

  post(message: Message): void {
    this.#worker.postMessage(message);
  }

  #drained(number: number): void {
    this.#runs.get(number)?.onDrained();
    if (!this.#runs.delete(number) || this.#runs.size > 0) return;
    this.#leaving = setTimeout(() => this.#leave(), lingerMs);
    this.#leaving.unref?.();
  }

  #leave(): void {
    this.#forget();
    this.post('leave');
  }

  /** The thread can no longer send. */
  #end(): void {
    this.#forget();
    for (const { state, onDrained } of this.#runs.values()) {
      Atomics.store(state, slot.phase, phase.over);
      onDrained();
    }
    this.#runs.clear();
  }

  #forget(): void {
    clearTimeout(this.#leaving);
    if (threads.get(this.#key) === this) threads.delete(this.#key);
  }
}

function threadOf(console: ConsoleAddress): Thread {
  const key = JSON.stringify([console.url, console.token]);
  const thread = threads.get(key) ?? new Thread(key, console);
  threads.set(key, thread);
  return thread;
}

/** The number of steps that an exiting process still waits, for all of its runs together. */
let stepsLeft: number | undefined;

/** The thread pings the console once, and ends immediately if there is none. */
export function startSender({
  url,
  token,
  probeMs,
  ...settings
}: ConsoleAddress & Omit<RunSettings, 'shared'>): Sender {
  const thread = threadOf({ url, token, probeMs });
  const { number, run } = thread.open(settings);
  const { state } = run;
  // Waits in steps: on a busy machine each step takes longer, so the sending thread gets more time.
  const steps = Math.ceil(Math.max(drainMs, probeMs) / stepMs);
  let waiting: MonitorEvent[] = [];
  const over = () => Atomics.load(state, slot.phase) === phase.over;

  const flush = () => {
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    if (!over()) thread.post({ run: number, events });
  };

  return {
    get alive() {
      return !over();
    },
    send(event) {
      // One message per turn of the event loop, because frameworks report in bursts.
      if (waiting.push(event) === 1) queueMicrotask(flush);
    },
    async drain() {
      flush();
      if (over()) return;
      thread.post({ run: number, drain: true });
      const asked = performance.now();
      await new Promise<void>((resolve) => {
        let left = steps;
        const waits = setInterval(() => {
          left -= 1;
          if (left <= 0) run.onDrained();
        }, stepMs);
        run.onDrained = () => {
          clearInterval(waits);
          resolve();
        };
      });
      measure('closeMs', performance.now() - asked);
      measure('threadMs', Atomics.load(state, slot.computedMs));
    },
    drainNow() {
      flush();
      if (over()) return;
      thread.post({ run: number, drain: true });
      stepsLeft ??= steps;
      for (; !over() && stepsLeft > 0; stepsLeft -= 1) {
        Atomics.wait(state, slot.phase, Atomics.load(state, slot.phase), stepMs);
      }
      measure('threadMs', Atomics.load(state, slot.computedMs));
    },
  };
}
