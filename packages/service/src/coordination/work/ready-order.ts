import type { Graph } from '../plans/graph.ts';
import type { Leverage } from './leverage.ts';
import type { Priorities } from './priorities.ts';

/** Up to this many changed nodes are moved one by one; with more the whole list is sorted again. */
const maxMovedOneByOne = 16;

/**
 * The ready nodes, best first. A node that appears, disappears or changes its rank is moved alone; a returned list never changes. The
 * set of ready nodes is always exact; their order may use the leverage of a few turns ago if counting takes long.
 */
export class ReadyOrder {
  readonly #graph: Graph;
  readonly #leverage: Leverage;
  readonly #priorities: Priorities;
  readonly #ready = new Set<number>();
  /** The vertices in the current order. */
  #inOrder = new Set<number>();
  #order: readonly number[] = [];
  #unsettled = new Set<number>();

  constructor(graph: Graph, leverage: Leverage, priorities: Priorities) {
    this.#graph = graph;
    this.#priorities = priorities;
    this.#leverage = leverage;
  }

  set(vertex: number, isReady: boolean): void {
    if (isReady) this.#ready.add(vertex);
    else this.#ready.delete(vertex);
    this.#leverage.follow(vertex, isReady);
    if (isReady || this.#inOrder.has(vertex)) this.#unsettled.add(vertex);
  }

  /** Called when the rank of a node changed for a reason other than its leverage. */
  moved(vertex: number): void {
    if (this.#ready.has(vertex)) this.#unsettled.add(vertex);
  }

  all(): readonly number[] {
    this.#leverage.settleAtOnce();
    for (const vertex of this.#leverage.takeRecounted()) if (this.#ready.has(vertex)) this.#unsettled.add(vertex);
    if (this.#unsettled.size === 0) return this.#order;
    this.#order = this.#unsettled.size > maxMovedOneByOne ? this.#sortAll() : this.#moveUnsettled();
    this.#unsettled = new Set();
    return this.#order;
  }

  clear(): void {
    this.#ready.clear();
    this.#inOrder.clear();
    this.#unsettled.clear();
    this.#order = [];
  }

  #moveUnsettled(): number[] {
    const order = this.#order.slice();
    for (const vertex of this.#unsettled) if (this.#inOrder.delete(vertex)) order.splice(order.indexOf(vertex), 1);
    const coming = [...this.#unsettled].filter((vertex) => this.#ready.has(vertex));
    for (const vertex of coming) {
      order.splice(this.#indexFor(vertex, order), 0, vertex);
      this.#inOrder.add(vertex);
    }
    return order;
  }

  #indexFor(vertex: number, order: readonly number[]): number {
    let [low, high] = [0, order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const there = order[middle];
      if (there !== undefined && this.#compare(there, vertex) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Most nodes stay ready in nearly the same order, and sorting a nearly sorted list is fast. */
  #sortAll(): number[] {
    const before = this.#order.filter((vertex) => this.#ready.has(vertex));
    const kept = new Set(before);
    const order = before.concat([...this.#ready].filter((vertex) => !kept.has(vertex)));
    this.#inOrder = new Set(order);
    return order.sort((a, b) => this.#compare(a, b));
  }

  #compare(a: number, b: number): number {
    const leverage = this.#leverage;
    const { addedSequence: added, keys } = this.#graph;
    return (
      this.#priorities.rank(b) - this.#priorities.rank(a) ||
      leverage.known(b) - leverage.known(a) ||
      leverage.knownMinutes(b) - leverage.knownMinutes(a) ||
      (added[a] ?? 0) - (added[b] ?? 0) ||
      ((keys[a] ?? '') < (keys[b] ?? '') ? -1 : 1)
    );
  }
}
