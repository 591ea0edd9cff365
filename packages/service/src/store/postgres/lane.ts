/** Runs what enters one after the other: deciding, appending and folding must not overlap. */
export class Lane {
  #last: Promise<unknown> = Promise.resolve();

  enter<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
