/** Never runs `work` twice at once. A call that comes while it runs gets the run right after, together with all others. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  return function run(): Promise<void> {
    if (underWay) {
      next ??= underWay.then((): Promise<void> => {
        next = null;
        return run();
      });
      return next;
    }
    underWay = work().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
