/** Schedules work after a delay; tests pass their own. */
export type Later = (work: () => void, ms: number) => () => void;

export const byTimer: Later = (work, ms) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

type Runtime = { process?: { nextTick?: (work: () => void) => void } };

/** Runs after everything that is ready now, so that calls made together are sent together. */
export const afterThisTurn: (work: () => void) => void =
  (globalThis as Runtime).process?.nextTick ?? ((work) => queueMicrotask(work));

/** Settles after the given time, or rejects with the signal's reason. */
export function pause(ms: number, later: Later, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = later(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
