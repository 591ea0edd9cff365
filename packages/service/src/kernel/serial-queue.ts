/** Runs jobs one after the other, in the order they were given. A job that fails does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
