/** What runs things later. A test passes its own. */
export type Later = (work: () => void, ms: number) => () => void;

export const byTimer: Later = (work, ms) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};

type Runtime = { process?: { nextTick?: (work: () => void) => void } };

/** After everything that is ready to run now: calls that are made together then travel together. */
export const afterThisTurn: (work: () => void) => void =
  (globalThis as Runtime).process?.nextTick ?? ((work) => queueMicrotask(work));

/** Settles after that time, or rejects with the reason of the signal. */
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
