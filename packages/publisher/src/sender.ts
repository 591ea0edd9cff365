import { Worker } from 'node:worker_threads';
import type { MonitorEvent } from './events.ts';
import { measure } from './guard.ts';
import { phase, slot, type ThreadSettings } from './sender/shared.ts';
import { threadFile } from './sender/thread-file.ts';

/** Longer than the thread ever waits for the console; only a thread that cannot run at all is cut off by it. */
const drainMs = 2_500;

/** Hands events to the thread that sends them. Nothing here waits, throws or keeps the process alive. */
export type Sender = {
  /** False once it is known that no console listens. */
  readonly alive: boolean;
  send(event: MonitorEvent): void;
  /** Resolves when everything is sent or given up. */
  drain(): Promise<void>;
  /** The same for a process that is on its way out and runs no more events. */
  drainNow(): void;
};

/** Starts the thread, which asks the console once whether it is there and ends at once if it is not. */
export function startSender(settings: Omit<ThreadSettings, 'shared'>): Sender {
  const shared = new SharedArrayBuffer(8);
  const state = new Int32Array(shared);
  let waiting: MonitorEvent[] = [];
  const over = () => Atomics.load(state, slot.phase) === phase.over;
  const started = performance.now();
  const worker = new Worker(threadFile, {
    workerData: { ...settings, shared },
    // Neither what the runner preloads nor what it sets for its children is for this thread.
    execArgv: [],
    env: {},
    name: 'signalbox-publisher',
  });
  worker.unref();
  measure('startMs', performance.now() - started);
  worker.on('error', () => Atomics.store(state, slot.phase, phase.over));

  const flush = () => {
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    if (!over()) worker.postMessage({ events });
  };

  return {
    get alive() {
      return !over();
    },
    send(event) {
      // One message per turn of the loop: a framework reports in bursts.
      if (waiting.push(event) === 1) queueMicrotask(flush);
    },
    async drain() {
      flush();
      if (over()) return;
      worker.postMessage('drain');
      const asked = performance.now();
      await new Promise<void>((resolve) => {
        const late = setTimeout(resolve, drainMs);
        worker.once('exit', () => {
          clearTimeout(late);
          resolve();
        });
      });
      measure('closeMs', performance.now() - asked);
      measure('threadMs', Atomics.load(state, slot.computedMs));
    },
    drainNow() {
      flush();
      if (over()) return;
      worker.postMessage('drain');
      const until = Date.now() + drainMs;
      for (let now = Date.now(); !over() && now < until; now = Date.now()) {
        Atomics.wait(state, slot.phase, Atomics.load(state, slot.phase), Math.min(50, until - now));
      }
      measure('threadMs', Atomics.load(state, slot.computedMs));
    },
  };
}
