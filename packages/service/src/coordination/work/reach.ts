import type { Edges } from './edges.ts';

type Numbers = Int32Array<ArrayBuffer>;

/** Visited vertices after which a reach is large. */
const largeReach = 1024;

/**
 * How many counted vertices can be reached along edges, exactly. Many small reaches are walked one by one; where one is
 * large it most likely overlaps with others, so large ones are walked together, 32 at a time, a bit for each.
 */
export class Reach {
  readonly #edges: Edges;
  #mark: Numbers = new Int32Array(0);
  #stamp = 0;
  #masks: Numbers = new Int32Array(0);
  #cursor: Numbers = new Int32Array(0);
  #stack: Numbers = new Int32Array(0);
  #order: Numbers = new Int32Array(0);

  constructor(edges: Edges) {
    this.#edges = edges;
  }

  /** Calls `tell` once for each source. */
  count(sources: readonly number[], counted: Uint8Array, report: (source: number, count: number) => void): void {
    this.#grow(counted.length);
    const large: number[] = [];
    for (const source of sources) {
      const count = this.#walk(source, counted);
      if (count < 0) large.push(source);
      else report(source, count);
    }
    if (large.length === 0) return;
    const order = this.#order.subarray(0, this.#topologicalOrder(large));
    for (let at = 0; at < large.length; at += 32) this.#spread(large.slice(at, at + 32), order, counted, report);
  }

  /** The count, or -1 once the reach proves to be large. */
  #walk(source: number, counted: Uint8Array): number {
    const stamp = this.#nextStamp();
    const mark = this.#mark;
    const stack = this.#stack;
    const { first, next, to } = this.#edges;
    stack[0] = source;
    mark[source] = stamp;
    let height = 1;
    let visited = 0;
    let count = 0;
    while (height > 0) {
      height -= 1;
      visited += 1;
      if (visited > largeReach) return -1;
      const here = stack[height] as number;
      for (let link = first[here] as number; link !== 0; link = next[link - 1] as number) {
        const there = to[link - 1] as number;
        if (mark[there] === stamp) continue;
        mark[there] = stamp;
        count += counted[there] as number;
        stack[height] = there;
        height += 1;
      }
    }
    return count;
  }

  /** Hands a bit for each source on to everything behind it, then counts the bits. */
  #spread(
    sources: readonly number[],
    order: Numbers,
    counted: Uint8Array,
    report: (source: number, count: number) => void,
  ): void {
    const masks = this.#masks;
    const { first, next, to } = this.#edges;
    for (const [bit, source] of sources.entries()) masks[source] = 1 << bit;
    for (const here of order) {
      const mask = masks[here] as number;
      if (mask === 0) continue;
      for (let link = first[here] as number; link !== 0; link = next[link - 1] as number) {
        const there = to[link - 1] as number;
        masks[there] = (masks[there] as number) | mask;
      }
    }
    const counts = this.#tally(order, counted);
    for (const [bit, source] of sources.entries())
      report(source, (counts[bit] as number) - (counted[source] as number));
    for (const here of order) masks[here] = 0;
  }

  /** Neighbours mostly share a mask, so equal ones in a row are counted once. */
  #tally(order: Numbers, counted: Uint8Array): Numbers {
    const counts = new Int32Array(32);
    let mask = 0;
    let run = 0;
    const flush = () => {
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const bit = 31 - Math.clz32(rest & -rest);
        counts[bit] = (counts[bit] as number) + run;
      }
    };
    for (const here of order) {
      if (counted[here] !== 1) continue;
      const own = this.#masks[here] as number;
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

  /** Puts everything within reach in an order where each vertex stands before those it leads to; says how many. */
  #topologicalOrder(sources: readonly number[]): number {
    const stamp = this.#nextStamp();
    const [mark, cursor, stack, order] = [this.#mark, this.#cursor, this.#stack, this.#order];
    const { first, next, to } = this.#edges;
    let finished = order.length;
    for (const source of sources) {
      if (mark[source] === stamp) continue;
      mark[source] = stamp;
      cursor[source] = first[source] as number;
      stack[0] = source;
      let height = 1;
      while (height > 0) {
        const here = stack[height - 1] as number;
        const link = cursor[here] as number;
        if (link === 0) {
          finished -= 1;
          order[finished] = here;
          height -= 1;
          continue;
        }
        cursor[here] = next[link - 1] as number;
        const there = to[link - 1] as number;
        if (mark[there] === stamp) continue;
        mark[there] = stamp;
        cursor[there] = first[there] as number;
        stack[height] = there;
        height += 1;
      }
    }
    order.copyWithin(0, finished);
    return order.length - finished;
  }

  #nextStamp(): number {
    this.#stamp += 1;
    return this.#stamp;
  }

  #grow(size: number): void {
    if (this.#mark.length >= size) return;
    this.#mark = new Int32Array(size);
    this.#masks = new Int32Array(size);
    this.#cursor = new Int32Array(size);
    this.#stack = new Int32Array(size);
    this.#order = new Int32Array(size);
    this.#stamp = 0;
  }
}
