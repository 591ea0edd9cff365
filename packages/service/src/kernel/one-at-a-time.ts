/** Runs jobs one after the other, in the order they were given. A job that fails does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

export type Coalesced = {
  /** Runs now; during a run, all callers share the one run that follows it. */
  run(): Promise<void>;
  /** Resolves once the latest requested run has ended, successfully or not. */
  settled(): Promise<void>;
};

/** Never runs `work` twice at once. A run that fails does not keep the next from running. */
export function coalesced(work: () => Promise<void>): Coalesced {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let latest: Promise<void> = Promise.resolve();
  const start = (): Promise<void> => {
    next = undefined;
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  const ask = (): Promise<void> => {
    // Callers share a run that is queued but has not begun, even after the previous run has ended.
    if (next) return next;
    if (!running) return start();
    next = running.then(start, start);
    return next;
  };
  return {
    run() {
      const asked = ask();
      latest = asked.catch(() => undefined);
      return asked;
    },
    settled: () => latest,
  };
}
