import type { Graph } from '../plans/graph.ts';
import { Reach } from './reach.ts';

const usualMinutes = 60;

/**
 * How much open work waits behind a node, and how long the longest way through it is. Counted only for what is asked,
 * kept until something behind it changes.
 */
export class Leverage {
  readonly #graph: Graph;
  readonly #reach: Reach;
  /** 1 for what counts: a node of an active plan that is not done. */
  #counted = new Uint8Array(0);
  #leverage = new Int32Array(0);
  #minutes = new Float64Array(0);
  #known = new Uint8Array(0);
  #measured = new Uint8Array(0);
  #touched: number[] = [];

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#reach = new Reach(graph.dependents, this.#counted);
  }

  setCounted(vertex: number, counts: boolean): void {
    this.#grow();
    const value = counts ? 1 : 0;
    if (this.#counted[vertex] === value) return;
    this.#counted[vertex] = value;
    this.touch(vertex);
  }

  /** Something at or behind this vertex changed: whatever it depends on must be counted again. */
  touch(vertex: number): void {
    this.#touched.push(vertex);
  }

  /** Counts what is not known of these, all at once. */
  prepare(vertices: readonly number[]): void {
    this.#grow();
    this.#forget();
    const unknown = vertices.filter((vertex) => this.#known[vertex] !== 1);
    this.#reach.count(unknown, this.#counted, (vertex, count) => {
      this.#leverage[vertex] = count;
      this.#known[vertex] = 1;
    });
  }

  of(vertex: number): number {
    if (this.#touched.length > 0 || this.#known[vertex] !== 1) this.prepare([vertex]);
    return this.#leverage[vertex] ?? 0;
  }

  /** Minutes on the longest remaining path, its own included. */
  minutes(vertex: number): number {
    this.#grow();
    this.#forget();
    if (this.#measured[vertex] !== 1) this.#measure(vertex);
    return this.#minutes[vertex] ?? 0;
  }

  clear(): void {
    this.#touched = [];
    this.#counted.fill(0);
    this.#known.fill(0);
    this.#measured.fill(0);
  }

  /** One walk back from everything touched, however much that is. */
  #forget(): void {
    if (this.#touched.length === 0) return;
    const stack = this.#touched;
    this.#touched = [];
    const seen = new Uint8Array(this.#graph.size);
    for (const vertex of stack) seen[vertex] = 1;
    for (let here = stack.pop(); here !== undefined; here = stack.pop()) {
      this.#known[here] = 0;
      this.#measured[here] = 0;
      for (const next of this.#graph.dependsOn[here] ?? []) {
        if (seen[next] === 1) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
  }

  #measure(start: number): void {
    const stack = [start];
    const cursors = [0];
    while (stack.length > 0) {
      const top = stack.length - 1;
      const here = stack[top] ?? 0;
      const edges = this.#graph.dependents[here] ?? [];
      const at = cursors[top] ?? 0;
      if (at < edges.length) {
        cursors[top] = at + 1;
        const next = edges[at] ?? 0;
        if (this.#measured[next] !== 1) {
          stack.push(next);
          cursors.push(0);
        }
        continue;
      }
      let longest = 0;
      for (const next of edges) longest = Math.max(longest, this.#minutes[next] ?? 0);
      const own = this.#counted[here] === 1 ? (this.#graph.nodes[here]?.estimateMinutes ?? usualMinutes) : 0;
      this.#minutes[here] = own + longest;
      this.#measured[here] = 1;
      stack.pop();
      cursors.pop();
    }
  }

  #grow(): void {
    const size = this.#graph.size;
    if (this.#known.length >= size) return;
    const room = Math.ceil(size * 1.5) + 16;
    this.#counted = copy(new Uint8Array(room), this.#counted);
    this.#leverage = copy(new Int32Array(room), this.#leverage);
    this.#minutes = copy(new Float64Array(room), this.#minutes);
    this.#known = copy(new Uint8Array(room), this.#known);
    this.#measured = copy(new Uint8Array(room), this.#measured);
  }
}

function copy<Numbers extends Uint8Array | Int32Array | Float64Array>(into: Numbers, from: Numbers): Numbers {
  into.set(from);
  return into;
}
