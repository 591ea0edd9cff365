import { writeFileSync } from 'node:fs';
import { computedMs } from './computed.ts';

const measured = { spentMs: 0, longestMs: 0, cpuMs: 0, startMs: 0, closeMs: 0, threadMs: 0 };
let depth = 0;

/**
 * Runs publisher code inside the user's test run: it catches every error and counts the time on the main thread, so
 * that the promise of negligible cost can be checked.
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

/** Counts the start-up time of the thread, its CPU time, or the time to send the last events. */
export const measure = (part: 'startMs' | 'closeMs' | 'threadMs', ms: number): void => {
  measured[part] += ms;
};

/** Guards every function of an adapter; its promises never reject. */
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
