/** Long work that can be left at each `yield`. */
export type Steps<Result> = Generator<void, Result>;
export type InTurns = <Result>(steps: Steps<Result>) => Promise<Result>;

/** Runs the steps of long work, and lets others have their turn in between. */
export const createInTurns =
  (waitForTurn: () => Promise<void> | undefined): InTurns =>
  async (steps) => {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      const turn = waitForTurn();
      if (turn) await turn;
    }
  };

export const withoutTurns: InTurns = async (steps) => atOnce(steps);

/** Maps a list, one item a step. */
export function* eachOf<Item, Made>(items: readonly Item[], make: (item: Item) => Made): Steps<Made[]> {
  const made: Made[] = [];
  for (const item of items) {
    made.push(make(item));
    yield;
  }
  return made;
}

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
