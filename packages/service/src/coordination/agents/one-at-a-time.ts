export type OneAtATime = {
  /** Runs now, or right after the run that is under way, together with all who asked meanwhile. */
  run(): Promise<void>;
  /** Waits for what is under way and what was asked for. */
  settled(): Promise<void>;
};

/** Never runs `work` twice at once. */
export function oneAtATime(work: () => Promise<void>): OneAtATime {
  let underWay: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let latest = Promise.resolve();

  function begin(): Promise<void> {
    if (!underWay) {
      underWay = work().finally(() => {
        underWay = null;
      });
      return underWay;
    }
    next ??= underWay.then((): Promise<void> => {
      next = null;
      return begin();
    });
    return next;
  }

  return {
    run() {
      latest = begin();
      return latest;
    },
    settled: () => latest,
  };
}
