/**
 * How many counted vertices can be reached along `edges`, exactly. Many small reaches are walked one by one; where one is
 * large it most likely overlaps with others, so large ones are walked together, 32 at a time, a bit for each.
 */
export class Reach {
  readonly #edges: readonly (readonly number[])[];
  #counted: Uint8Array;
  #mark = new Int32Array(0);
  #stamp = 0;
  #masks = new Int32Array(0);
  #cursor = new Int32Array(0);
  #stack: number[] = [];

  constructor(edges: readonly (readonly number[])[], counted: Uint8Array) {
    this.#edges = edges;
    this.#counted = counted;
  }

  /** Calls `tell` once for each source. */
  count(sources: readonly number[], counted: Uint8Array, tell: (source: number, count: number) => void): void {
    this.#counted = counted;
    this.#grow(this.#edges.length);
    const large: number[] = [];
    for (const source of sources) {
      const count = this.#walk(source);
      if (count < 0) large.push(source);
      else tell(source, count);
    }
    for (let at = 0; at < large.length; at += 32) this.#walkTogether(large.slice(at, at + 32), tell);
  }

  /** The count, or -1 once the reach proves to be large. */
  #walk(source: number): number {
    const stamp = this.#nextStamp();
    const mark = this.#mark;
    const stack = this.#stack;
    stack.length = 0;
    stack.push(source);
    mark[source] = stamp;
    let visited = 0;
    let count = 0;
    for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
      visited += 1;
      if (visited > largeReach) return -1;
      for (const next of this.#edges[here] ?? []) {
        if (mark[next] === stamp) continue;
        mark[next] = stamp;
        count += this.#counted[next] ?? 0;
        stack.push(next);
      }
    }
    return count;
  }

  #walkTogether(sources: readonly number[], tell: (source: number, count: number) => void): void {
    const order = this.#dependenciesFirst(sources);
    const masks = this.#masks;
    sources.forEach((source, bit) => {
      masks[source] = (masks[source] ?? 0) | (1 << bit);
    });
    for (const here of order) {
      const mask = masks[here] ?? 0;
      for (const next of this.#edges[here] ?? []) masks[next] = (masks[next] ?? 0) | mask;
    }
    const counts = this.#tally(order);
    sources.forEach((source, bit) => {
      tell(source, (counts[bit] ?? 0) - (this.#counted[source] ?? 0));
    });
    for (const here of order) masks[here] = 0;
  }

  /** Neighbours mostly share a mask, so equal ones in a row are counted once. */
  #tally(order: readonly number[]): Int32Array {
    const counts = new Int32Array(32);
    let mask = 0;
    let run = 0;
    const flush = () => {
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const bit = 31 - Math.clz32(rest & -rest);
        counts[bit] = (counts[bit] ?? 0) + run;
      }
    };
    for (const here of order) {
      if (this.#counted[here] !== 1) continue;
      const own = this.#masks[here] ?? 0;
      if (own !== mask) {
        flush();
        mask = own;
        run = 0;
      }
      run += 1;
    }
    flush();
    return counts;
  }

  /** Everything within reach in an order where each vertex stands before those it leads to. */
  #dependenciesFirst(sources: readonly number[]): number[] {
    const stamp = this.#nextStamp();
    const { mark, cursor, stack } = { mark: this.#mark, cursor: this.#cursor, stack: this.#stack };
    const finished: number[] = [];
    for (const source of sources) {
      if (mark[source] === stamp) continue;
      mark[source] = stamp;
      cursor[source] = 0;
      stack.length = 0;
      stack.push(source);
      while (stack.length > 0) {
        const here = stack[stack.length - 1] ?? 0;
        const edges = this.#edges[here] ?? [];
        const at = cursor[here] ?? 0;
        if (at === edges.length) {
          finished.push(here);
          stack.pop();
          continue;
        }
        cursor[here] = at + 1;
        const next = edges[at] ?? 0;
        if (mark[next] === stamp) continue;
        mark[next] = stamp;
        cursor[next] = 0;
        stack.push(next);
      }
    }
    return finished.reverse();
  }

  #nextStamp(): number {
    this.#stamp += 1;
    return this.#stamp;
  }

  #grow(size: number): void {
    if (this.#mark.length >= size) return;
    const room = Math.ceil(size * 1.5);
    this.#mark = new Int32Array(room);
    this.#masks = new Int32Array(room);
    this.#cursor = new Int32Array(room);
    this.#stamp = 0;
  }
}

/** Visited vertices after which a reach is large. */
const largeReach = 1024;
