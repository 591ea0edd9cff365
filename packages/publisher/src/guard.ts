import { writeFileSync } from 'node:fs';

let spentMs = 0;
let longestMs = 0;
let depth = 0;

/**
 * Runs a piece of the publisher inside someone else's test run: nothing it throws gets out, and the time it takes on
 * the main thread is counted, so that the promise to cost next to nothing can be checked.
 */
export function guarded<T>(work: () => T, otherwise: T): T {
  const started = performance.now();
  depth++;
  try {
    return work();
  } catch {
    return otherwise;
  } finally {
    if (--depth === 0) {
      const took = performance.now() - started;
      spentMs += took;
      longestMs = Math.max(longestMs, took);
    }
  }
}

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
if (report)
  process.once('exit', () => guarded(() => writeFileSync(report, JSON.stringify({ spentMs, longestMs })), undefined));
