import type { Graph } from '../plans/graph.ts';
import type { Leverage } from './leverage.ts';

/** So many may find their place one by one; more are sorted with all others. */
const fewAtMost = 16;

/** The ready nodes, best first. One that comes, goes or changes its rank moves alone; a list once given stays as it is. */
export class ReadyOrder {
  readonly #graph: Graph;
  readonly #leverage: Leverage;
  readonly #ready = new Set<number>();
  /** What stands in the order now. */
  #placed = new Set<number>();
  #order: readonly number[] = [];
  #unsettled = new Set<number>();

  constructor(graph: Graph, leverage: Leverage) {
    this.#graph = graph;
    this.#leverage = leverage;
  }

  set(vertex: number, isReady: boolean): void {
    if (isReady) this.#ready.add(vertex);
    else this.#ready.delete(vertex);
    if (isReady || this.#placed.has(vertex)) this.#unsettled.add(vertex);
  }

  all(): readonly number[] {
    for (const vertex of this.#leverage.takeForgotten()) if (this.#ready.has(vertex)) this.#unsettled.add(vertex);
    if (this.#unsettled.size === 0) return this.#order;
    this.#order = this.#unsettled.size > fewAtMost ? this.#sorted() : this.#settled();
    this.#unsettled = new Set();
    return this.#order;
  }

  clear(): void {
    this.#ready.clear();
    this.#placed.clear();
    this.#unsettled.clear();
    this.#order = [];
  }

  #settled(): number[] {
    const order = this.#order.slice();
    for (const vertex of this.#unsettled) if (this.#placed.delete(vertex)) order.splice(order.indexOf(vertex), 1);
    const coming = [...this.#unsettled].filter((vertex) => this.#ready.has(vertex));
    this.#leverage.prepare(coming);
    for (const vertex of coming) {
      order.splice(this.#placeOf(vertex, order), 0, vertex);
      this.#placed.add(vertex);
    }
    return order;
  }

  #placeOf(vertex: number, order: readonly number[]): number {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(order[middle] as number, vertex) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Mostly what was ready before still is, in nearly the same order, and sorting what is sorted is quick. */
  #sorted(): number[] {
    const before = this.#order.filter((vertex) => this.#ready.has(vertex));
    const kept = new Set(before);
    const order = before.concat([...this.#ready].filter((vertex) => !kept.has(vertex)));
    this.#leverage.prepare(order);
    this.#placed = new Set(order);
    return order.sort((a, b) => this.#compare(a, b));
  }

  #compare(a: number, b: number): number {
    const leverage = this.#leverage;
    const { added, keys } = this.#graph;
    return (
      leverage.of(b) - leverage.of(a) ||
      leverage.minutes(b) - leverage.minutes(a) ||
      (added[a] as number) - (added[b] as number) ||
      ((keys[a] as string) < (keys[b] as string) ? -1 : 1)
    );
  }
}
