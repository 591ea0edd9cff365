/** Long work that can pause at each `yield`. */
export type Task<Result> = Generator<void, Result>;
export type RunTask = <Result>(task: Task<Result>) => Promise<Result>;
/** Resolves in a later turn of the event loop; `undefined` while this turn has time left. */
export type YieldIfBusy = () => Promise<void> | undefined;

/** Runs a task and offers the event loop to others after each step. */
export const createRunTask =
  (yieldIfBusy: YieldIfBusy): RunTask =>
  async (task) => {
    for (;;) {
      const { done, value } = task.next();
      if (done) return value;
      const turn = yieldIfBusy();
      if (turn) await turn;
    }
  };

/** Runs a task to its end without a turn in between. */
export function runNow<Result>(task: Task<Result>): Result {
  for (;;) {
    const { done, value } = task.next();
    if (done) return value;
  }
}

/** A task as a promise, for tests and for pages that show one model. */
export const runUninterrupted: RunTask = async (task) => runNow(task);

/** Maps a list, one item per step. */
export function* mapInSteps<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Task<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    made.push(make(item));
    yield;
  }
  return made;
}

/** An object as JSON, one item of each of its lists per step. */
export function* jsonInSteps(object: object): Task<string> {
  const members: string[] = [];
  for (const [member, value] of Object.entries(object)) {
    const text: string | undefined = Array.isArray(value) ? yield* listInSteps(value) : JSON.stringify(value);
    if (text !== undefined) members.push(`${JSON.stringify(member)}:${text}`);
    yield;
  }
  return `{${members.join()}}`;
}

function* listInSteps(list: readonly unknown[]): Task<string> {
  return `[${(yield* mapInSteps(list, (item) => JSON.stringify(item) ?? 'null')).join()}]`;
}
