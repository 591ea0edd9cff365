import type { Edges } from './edges.ts';

/** Visits whatever leads to the vertices that changed, each once, step by step. */
export class WalkBack {
  readonly #dependencies: Edges;
  readonly #onVisit: (vertex: number) => void;
  #changed: number[] = [];
  #mark = new Int32Array(0);
  #stamp = 0;
  #stack = new Int32Array(0);
  #height = 0;

  constructor(dependencies: Edges, onVisit: (vertex: number) => void) {
    this.#dependencies = dependencies;
    this.#onVisit = onVisit;
  }

  get isOver(): boolean {
    return this.#changed.length === 0 && this.#height === 0;
  }

  add(vertex: number): void {
    this.#changed.push(vertex);
  }

  /** Visits at most so many; returns how many are left. */
  walk(visits: number): number {
    if (this.isOver) return visits;
    // Whatever a walk that was left has visited stays visited: nothing is counted before it is over.
    if (this.#height === 0) this.#stamp += 1;
    for (const vertex of this.#changed) this.#visit(vertex);
    this.#changed = [];
    const { first, next, to } = this.#dependencies;
    let left = visits;
    while (this.#height > 0 && left > 0) {
      this.#height -= 1;
      left -= 1;
      const here = this.#stack[this.#height] ?? 0;
      for (let link = first[here] ?? 0; link !== 0; link = next[link - 1] ?? 0) this.#visit(to[link - 1] ?? 0);
    }
    return left;
  }

  clear(): void {
    this.#changed = [];
    this.#height = 0;
  }

  grow(room: number): void {
    const [stack, mark] = [this.#stack, this.#mark];
    this.#stack = new Int32Array(room);
    this.#stack.set(stack);
    this.#mark = new Int32Array(room);
    this.#mark.set(mark);
  }

  #visit(vertex: number): void {
    if (this.#mark[vertex] === this.#stamp) return;
    this.#mark[vertex] = this.#stamp;
    this.#onVisit(vertex);
    this.#stack[this.#height] = vertex;
    this.#height += 1;
  }
}
