import type { BoardRun } from './board-run.ts';

type Compare = (a: BoardRun, b: BoardRun) => number;

/** The runs of a board in one order. Only those that moved are sorted again. */
export class SortedRuns {
  readonly #compare: Compare;
  readonly #isHere: (boardRun: BoardRun) => boolean;
  /** Runs that are new, gone, or changed what they are sorted by since the list was made. */
  readonly #moved = new Set<BoardRun>();
  #list: readonly BoardRun[] = [];

  constructor(compare: Compare, isHere: (boardRun: BoardRun) => boolean) {
    this.#compare = compare;
    this.#isHere = isHere;
  }

  move(boardRun: BoardRun): void {
    this.#moved.add(boardRun);
  }

  /** A later change makes a new list. */
  list(): readonly BoardRun[] {
    if (this.#moved.size === 0) return this.#list;
    const stayed = this.#list.filter((boardRun) => !this.#moved.has(boardRun));
    const moved = [...this.#moved].filter(this.#isHere).sort(this.#compare);
    this.#list = merged(stayed, moved, this.#compare);
    this.#moved.clear();
    return this.#list;
  }
}

/** Two sorted lists as one. */
function merged(some: readonly BoardRun[], others: readonly BoardRun[], compare: Compare): BoardRun[] {
  const all: BoardRun[] = [];
  let next = 0;
  for (const one of some) {
    for (let other = others[next]; other && compare(other, one) < 0; other = others[next]) {
      all.push(other);
      next += 1;
    }
    all.push(one);
  }
  return all.concat(others.slice(next));
}
