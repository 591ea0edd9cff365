import type { Edges } from './edges.ts';

type Numbers = Int32Array<ArrayBuffer>;
type Report = (source: number, count: number) => void;

/** Visited vertices after which a reach is large. */
const largeReach = 1024;
/** How many vertices are visited before a count can be interrupted again. */
const stepSize = 1024;

/**
 * How many counted vertices can be reached along edges, exactly. Small reaches are walked one by one. Large reaches
 * probably overlap, so they are walked together, 32 at a time, with one bit for each.
 */
export class Reach {
  readonly #edges: Edges;
  #mark: Numbers = new Int32Array(0);
  #stamp = 0;
  #masks: Numbers = new Int32Array(0);
  #cursor: Numbers = new Int32Array(0);
  #stack: Numbers = new Int32Array(0);
  #order: Numbers = new Int32Array(0);
  #isUnderWay = false;

  constructor(edges: Edges) {
    this.#edges = edges;
  }

  /** Calls `report` once for each source. */
  count(sources: readonly number[], counted: Uint8Array, report: Report): void {
    for (const _ of this.counting(sources, counted, report));
  }

  /**
   * The same in steps; each yields the number of visited vertices. Edges must not change between steps. Only one count
   * runs at a time; an abandoned count cannot be resumed.
   */
  *counting(sources: readonly number[], counted: Uint8Array, report: Report): Generator<number, void> {
    this.#grow(counted.length);
    // Clears the bits of an abandoned count.
    if (this.#isUnderWay) this.#masks.fill(0);
    this.#isUnderWay = true;
    const large: number[] = [];
    let visited = 0;
    for (const source of sources) {
      const walked = this.#walk(source, counted);
      if (walked.count < 0) large.push(source);
      else report(source, walked.count);
      visited += walked.visited;
      if (visited >= stepSize) {
        yield visited;
        visited = 0;
      }
    }
    if (large.length > 0) {
      const order = this.#order.subarray(yield* this.#ordering(large));
      for (let at = 0; at < large.length; at += 32)
        yield* this.#spreading(large.slice(at, at + 32), order, counted, report);
    }
    this.#isUnderWay = false;
  }

  /** Returns -1 if the reach proves to be large. */
  #walk(source: number, counted: Uint8Array): { count: number; visited: number } {
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
      if (visited > largeReach) return { count: -1, visited };
      const here = stack[height] ?? 0;
      for (let link = first[here] ?? 0; link !== 0; link = next[link - 1] ?? 0) {
        const there = to[link - 1] ?? 0;
        if (mark[there] === stamp) continue;
        mark[there] = stamp;
        count += counted[there] ?? 0;
        stack[height] = there;
        height += 1;
      }
    }
    return { count, visited };
  }

  /** Propagates a bit for each source to everything behind it, then counts the bits. */
  *#spreading(
    sources: readonly number[],
    order: Numbers,
    counted: Uint8Array,
    report: Report,
  ): Generator<number, void> {
    const masks = this.#masks;
    for (const [bit, source] of sources.entries()) masks[source] = 1 << bit;
    for (const some of stepsOf(order)) {
      this.#spread(some);
      yield some.length;
    }
    const counts = new Int32Array(32);
    for (const some of stepsOf(order)) {
      this.#tally(some, counted, counts);
      yield some.length;
    }
    for (const [bit, source] of sources.entries()) report(source, (counts[bit] ?? 0) - (counted[source] ?? 0));
    for (const here of order) masks[here] = 0;
  }

  #spread(order: Numbers): void {
    const masks = this.#masks;
    const { first, next, to } = this.#edges;
    for (const here of order) {
      const mask = masks[here] ?? 0;
      if (mask === 0) continue;
      for (let link = first[here] ?? 0; link !== 0; link = next[link - 1] ?? 0) {
        const there = to[link - 1] ?? 0;
        masks[there] = (masks[there] ?? 0) | mask;
      }
    }
  }

  /** Neighbours mostly share a mask, so equal ones in a row are counted once. */
  #tally(order: Numbers, counted: Uint8Array, counts: Numbers): void {
    let mask = 0;
    let run = 0;
    const flush = () => {
      for (let rest = mask; rest !== 0; rest &= rest - 1) {
        const bit = 31 - Math.clz32(rest & -rest);
        counts[bit] = (counts[bit] ?? 0) + run;
      }
    };
    for (const here of order) {
      if (counted[here] !== 1) continue;
      const own = this.#masks[here] ?? 0;
      if (own !== mask) {
        flush();
        mask = own;
        run = 0;
      }
      run += 1;
    }
    flush();
  }

  /** Sorts everything within reach so that each vertex comes before those it leads to; returns the start index. */
  *#ordering(sources: readonly number[]): Generator<number, number> {
    const stamp = this.#nextStamp();
    const place = { height: 0, finished: this.#order.length };
    for (const source of sources) {
      if (this.#mark[source] === stamp) continue;
      this.#mark[source] = stamp;
      this.#cursor[source] = this.#edges.first[source] ?? 0;
      this.#stack[0] = source;
      place.height = 1;
      while (place.height > 0) {
        this.#orderSome(stamp, place);
        yield stepSize;
      }
    }
    return place.finished;
  }

  #orderSome(stamp: number, place: { height: number; finished: number }): void {
    const [mark, cursor, stack, order] = [this.#mark, this.#cursor, this.#stack, this.#order];
    const { first, next, to } = this.#edges;
    let { height, finished } = place;
    // The average in-degree is about three, so four edges examined correspond to one visit.
    for (let looks = 4 * stepSize; looks > 0 && height > 0; looks -= 1) {
      const here = stack[height - 1] ?? 0;
      const link = cursor[here] ?? 0;
      if (link === 0) {
        finished -= 1;
        order[finished] = here;
        height -= 1;
        continue;
      }
      cursor[here] = next[link - 1] ?? 0;
      const there = to[link - 1] ?? 0;
      if (mark[there] === stamp) continue;
      mark[there] = stamp;
      cursor[there] = first[there] ?? 0;
      stack[height] = there;
      height += 1;
    }
    place.height = height;
    place.finished = finished;
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

function* stepsOf(order: Numbers): Iterable<Numbers> {
  for (let from = 0; from < order.length; from += stepSize) yield order.subarray(from, from + stepSize);
}
