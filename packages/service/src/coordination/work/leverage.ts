import type { Graph } from '../plans/graph.ts';
import { Edges } from './edges.ts';
import { Reach } from './reach.ts';

const defaultMinutes = 60;

/**
 * How much open work waits behind a node, and how long the longest way through it is. Counted only for what is asked,
 * kept until something behind it changes.
 */
export class Leverage {
  readonly #graph: Graph;
  readonly #dependents = new Edges();
  readonly #dependencies = new Edges();
  readonly #reach = new Reach(this.#dependents);
  /** 1 for what counts: a node of an active plan that is not done. */
  #counted = new Uint8Array(0);
  #leverage = new Int32Array(0);
  #minutes = new Float64Array(0);
  #isCounted = new Uint8Array(0);
  #measured = new Uint8Array(0);
  #stack = new Int32Array(0);
  #cursor = new Int32Array(0);
  #touched: number[] = [];
  #mark = new Int32Array(0);
  #stamp = 0;
  #invalidated: number[] = [];

  constructor(graph: Graph) {
    this.#graph = graph;
  }

  addEdge(dependency: number, dependent: number): void {
    this.#dependents.add(dependency, dependent);
    this.#dependencies.add(dependent, dependency);
    this.touch(dependency);
  }

  removeEdge(dependency: number, dependent: number): void {
    this.#dependents.remove(dependency, dependent);
    this.#dependencies.remove(dependent, dependency);
    this.touch(dependency);
  }

  setCounted(vertex: number, counts: boolean): void {
    this.#grow();
    this.#counted[vertex] = counts ? 1 : 0;
    this.touch(vertex);
  }

  /** Something at or behind this vertex changed: whatever it depends on must be counted again. */
  touch(vertex: number): void {
    this.#touched.push(vertex);
  }

  /** Computes the missing counts of these vertices in one pass. */
  prepare(vertices: readonly number[]): void {
    this.#invalidate();
    const unknown = vertices.filter((vertex) => this.#isCounted[vertex] !== 1);
    if (unknown.length === 0) return;
    this.#reach.count(unknown, this.#counted, (vertex, count) => {
      this.#leverage[vertex] = count;
      this.#isCounted[vertex] = 1;
    });
  }

  /** The vertices invalidated since the last call; may contain duplicates. */
  takeInvalidated(): readonly number[] {
    this.#invalidate();
    const forgotten = this.#invalidated;
    this.#invalidated = [];
    return forgotten;
  }

  of(vertex: number): number {
    if (this.#touched.length > 0 || this.#isCounted[vertex] !== 1) this.prepare([vertex]);
    return this.#leverage[vertex] as number;
  }

  /** Minutes on the longest remaining path, its own included. */
  minutes(vertex: number): number {
    if (this.#touched.length > 0) this.#invalidate();
    if (this.#measured[vertex] !== 1) this.#measure(vertex);
    return this.#minutes[vertex] as number;
  }

  clear(): void {
    this.#touched = [];
    this.#invalidated = [];
    this.#dependents.clear();
    this.#dependencies.clear();
    for (const flags of [this.#counted, this.#isCounted, this.#measured]) flags.fill(0);
  }

  /** One walk back from everything touched, however much that is. */
  #invalidate(): void {
    this.#grow();
    if (this.#touched.length === 0) return;
    const { first, next, to } = this.#dependencies;
    this.#stamp += 1;
    const [stack, mark, stamp] = [this.#stack, this.#mark, this.#stamp];
    let height = 0;
    const visit = (vertex: number) => {
      if (mark[vertex] === stamp) return;
      mark[vertex] = stamp;
      if (this.#isCounted[vertex] === 1) this.#invalidated.push(vertex);
      this.#isCounted[vertex] = 0;
      this.#measured[vertex] = 0;
      stack[height] = vertex;
      height += 1;
    };
    for (const vertex of this.#touched) visit(vertex);
    this.#touched = [];
    while (height > 0) {
      height -= 1;
      const here = stack[height] as number;
      for (let link = first[here] as number; link !== 0; link = next[link - 1] as number) visit(to[link - 1] as number);
    }
  }

  #measure(start: number): void {
    const [stack, cursor] = [this.#stack, this.#cursor];
    const { first, next, to } = this.#dependents;
    stack[0] = start;
    cursor[start] = first[start] as number;
    let height = 1;
    while (height > 0) {
      const here = stack[height - 1] as number;
      const link = cursor[here] as number;
      if (link === 0) {
        this.#minutes[here] = this.#ownMinutes(here) + this.#longestBehind(here);
        this.#measured[here] = 1;
        height -= 1;
        continue;
      }
      cursor[here] = next[link - 1] as number;
      const there = to[link - 1] as number;
      if (this.#measured[there] === 1) continue;
      cursor[there] = first[there] as number;
      stack[height] = there;
      height += 1;
    }
  }

  #ownMinutes(vertex: number): number {
    return this.#counted[vertex] === 1 ? (this.#graph.nodes[vertex]?.estimateMinutes ?? defaultMinutes) : 0;
  }

  #longestBehind(vertex: number): number {
    const { first, next, to } = this.#dependents;
    let longest = 0;
    for (let link = first[vertex] as number; link !== 0; link = next[link - 1] as number) {
      const minutes = this.#minutes[to[link - 1] as number] as number;
      if (minutes > longest) longest = minutes;
    }
    return longest;
  }

  #grow(): void {
    const size = this.#graph.size;
    if (this.#isCounted.length >= size) return;
    const room = Math.ceil(size * 1.5) + 16;
    this.#counted = copyInto(new Uint8Array(room), this.#counted);
    this.#leverage = copyInto(new Int32Array(room), this.#leverage);
    this.#minutes = copyInto(new Float64Array(room), this.#minutes);
    this.#isCounted = copyInto(new Uint8Array(room), this.#isCounted);
    this.#measured = copyInto(new Uint8Array(room), this.#measured);
    this.#stack = new Int32Array(room);
    this.#mark = new Int32Array(room);
    this.#cursor = new Int32Array(room);
    this.#dependents.reserve(room);
    this.#dependencies.reserve(room);
  }
}

function copyInto<Numbers extends Uint8Array | Int32Array | Float64Array>(into: Numbers, from: Numbers): Numbers {
  into.set(from);
  return into;
}
