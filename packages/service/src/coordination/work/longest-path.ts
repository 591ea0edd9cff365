import type { Graph } from '../plans/graph.ts';
import type { Edges } from './edges.ts';

const defaultMinutes = 60;

/** Minutes on the longest remaining path from a vertex, its own included. Kept until it is forgotten. */
export class LongestPath {
  readonly #graph: Graph;
  readonly #dependents: Edges;
  readonly #onChange: (vertex: number) => void;
  #counted = new Uint8Array(0);
  #minutes = new Float64Array(0);
  #isMeasured = new Uint8Array(0);
  #cursor = new Int32Array(0);
  #stack = new Int32Array(0);
  #height = 0;

  constructor(graph: Graph, dependents: Edges, onChange: (vertex: number) => void) {
    this.#graph = graph;
    this.#dependents = dependents;
    this.#onChange = onChange;
  }

  /** The last measurement; 0 if there is none. */
  known(vertex: number): number {
    return this.#minutes[vertex] ?? 0;
  }

  isMeasured(vertex: number): boolean {
    return this.#isMeasured[vertex] === 1;
  }

  forget(vertex: number): void {
    this.#isMeasured[vertex] = 0;
  }

  /** Edges changed: the current search starts again. Finished lengths stay. */
  leave(): void {
    this.#height = 0;
  }

  /**
   * Measures this vertex, visiting at most `visits` vertices; returns how many visits are left. It continues where it
   * was interrupted.
   */
  measure(vertex: number, visits: number): number {
    if (this.#isMeasured[vertex] === 1) return visits;
    if (this.#height > 0 && this.#stack[0] !== vertex) this.#height = 0;
    const [stack, cursor] = [this.#stack, this.#cursor];
    const { first, next, to } = this.#dependents;
    if (this.#height === 0) {
      stack[0] = vertex;
      cursor[vertex] = first[vertex] ?? 0;
      this.#height = 1;
    }
    let [height, left] = [this.#height, visits];
    while (height > 0 && left > 0) {
      const here = stack[height - 1] ?? 0;
      const link = cursor[here] ?? 0;
      left -= 1;
      if (link === 0) {
        this.#finish(here);
        height -= 1;
        continue;
      }
      cursor[here] = next[link - 1] ?? 0;
      const there = to[link - 1] ?? 0;
      if (this.#isMeasured[there] === 1) continue;
      cursor[there] = first[there] ?? 0;
      stack[height] = there;
      height += 1;
    }
    this.#height = height;
    return left;
  }

  #finish(vertex: number): void {
    const minutes = this.#ownMinutes(vertex) + this.#longestBehind(vertex);
    this.#isMeasured[vertex] = 1;
    if (this.#minutes[vertex] === minutes) return;
    this.#minutes[vertex] = minutes;
    this.#onChange(vertex);
  }

  clear(): void {
    this.#isMeasured.fill(0);
    this.#height = 0;
  }

  grow(room: number, counted: Uint8Array<ArrayBuffer>): void {
    const [minutes, isMeasured] = [this.#minutes, this.#isMeasured];
    this.#counted = counted;
    this.#minutes = new Float64Array(room);
    this.#minutes.set(minutes);
    this.#isMeasured = new Uint8Array(room);
    this.#isMeasured.set(isMeasured);
    this.#cursor = new Int32Array(room);
    this.#stack = new Int32Array(room);
    this.#height = 0;
  }

  #ownMinutes(vertex: number): number {
    return this.#counted[vertex] === 1 ? (this.#graph.nodes[vertex]?.estimateMinutes ?? defaultMinutes) : 0;
  }

  #longestBehind(vertex: number): number {
    const { first, next, to } = this.#dependents;
    let longest = 0;
    for (let link = first[vertex] ?? 0; link !== 0; link = next[link - 1] ?? 0) {
      const minutes = this.#minutes[to[link - 1] ?? 0] ?? 0;
      if (minutes > longest) longest = minutes;
    }
    return longest;
  }
}
