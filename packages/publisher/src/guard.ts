import { writeFileSync } from 'node:fs';
import { computedMs } from './computed.ts';

const measured = { spentMs: 0, longestMs: 0, cpuMs: 0, startMs: 0, closeMs: 0, threadMs: 0 };
let depth = 0;

/**
 * Runs a piece of the publisher inside someone else's test run: nothing it throws gets out, and the time it takes on
 * the main thread is counted, so that the promise to cost next to nothing can be checked.
 */
export function guarded<T>(work: () => T, otherwise: T): T {
  const started = performance.now();
  const busy = depth === 0 ? cpuMs() : 0;
  depth++;
  try {
    return work();
  } catch {
    return otherwise;
  } finally {
    if (--depth === 0) {
      const took = performance.now() - started;
      measured.spentMs += took;
      measured.longestMs = Math.max(measured.longestMs, took);
      measured.cpuMs += cpuMs() - busy;
    }
  }
}

/** Counts how long the thread took to start, what it computed, or how long the last words took to be said. */
export const measure = (part: 'startMs' | 'closeMs' | 'threadMs', ms: number): void => {
  measured[part] += ms;
};

/** Every function of an adapter, guarded; what it promises is made to resolve. */
export function guardAll<T extends object>(adapter: T): T {
  const guard = (method: (...args: unknown[]) => unknown) =>
    function (this: unknown, ...args: unknown[]) {
      const answer = guarded(() => method.apply(this, args), undefined);
      return answer instanceof Promise ? answer.catch(() => undefined) : answer;
    };
  for (const [name, value] of Object.entries(adapter)) {
    if (typeof value === 'function') Object.assign(adapter, { [name]: guard(value as () => unknown) });
  }
  return adapter;
}

const report = process.env.SIGNALBOX_MEASURE;

function cpuMs(): number {
  return report ? computedMs() : 0;
}

if (report) process.once('exit', () => guarded(() => writeFileSync(report, JSON.stringify(measured)), undefined));
