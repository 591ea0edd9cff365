import type { Graph } from '../plans/graph.ts';
import { Edges } from './edges.ts';
import { LongestPath } from './longest-path.ts';
import { Reach } from './reach.ts';

const unknown = 0;
const exact = 1;
/** The count predates a change behind the vertex. */
const stale = 2;

/** How many nodes are visited before an answer is given after a change; if more must be counted, the order is exact a few turns later. */
const visitsAtOnce = 8_192;
/** After edits have interrupted a count this often, it runs to its end. */
const mostGivenUp = 8;

/**
 * How much open work waits behind a node, and how long the longest way through it is. Computed only for vertices that
 * are requested or followed, and kept until something behind them changes. Followed vertices are counted again gradually: see `settle`.
 */
export class Leverage {
  readonly #graph: Graph;
  readonly #dependents = new Edges();
  readonly #dependencies = new Edges();
  readonly #paths: LongestPath;
  readonly #changes: WalkBack;
  /** One for requested counts, one for counts that run between other work. */
  readonly #asked = new Reach(this.#dependents);
  readonly #following = new Reach(this.#dependents);
  /** 1 for a node that counts: one of an active plan that is not done. */
  #counted = new Uint8Array(0);
  #leverage = new Int32Array(0);
  #state = new Uint8Array(0);
  #isFollowed = new Uint8Array(0);
  /** The followed vertices that must be counted or measured again. */
  readonly #due = new Set<number>();
  #recounted: number[] = [];
  /** A count in progress. A change behind one of its sources invalidates that source. */
  #underWay: { steps: Generator<number, void>; isSource: Uint8Array; spoiled: Set<number> } | undefined;
  #givenUp = 0;
  #isChanged = false;

  constructor(graph: Graph) {
    this.#graph = graph;
    this.#changes = new WalkBack(this.#dependencies, (vertex) => this.#forget(vertex));
    this.#paths = new LongestPath(graph, this.#dependents, (vertex) => {
      if (this.#isFollowed[vertex] === 1) this.#recounted.push(vertex);
    });
  }

  addEdge(dependency: number, dependent: number): void {
    this.#giveUp();
    this.#dependents.add(dependency, dependent);
    this.#dependencies.add(dependent, dependency);
    this.#touch(dependency);
  }

  removeEdge(dependency: number, dependent: number): void {
    this.#giveUp();
    this.#dependents.remove(dependency, dependent);
    this.#dependencies.remove(dependent, dependency);
    this.#touch(dependency);
  }

  setCounted(vertex: number, counts: boolean): void {
    this.#grow();
    this.#counted[vertex] = counts ? 1 : 0;
    this.#touch(vertex);
  }

  /** A followed vertex is counted again after each change. */
  follow(vertex: number, isFollowed: boolean): void {
    this.#grow();
    this.#isFollowed[vertex] = isFollowed ? 1 : 0;
    if (!isFollowed) this.#due.delete(vertex);
    else if (this.#state[vertex] !== exact || !this.#paths.isMeasured(vertex)) this.#due.add(vertex);
  }

  /** Continues the due counts, visiting about this many vertices; true once all followed counts are exact. */
  settle(visits: number): boolean {
    this.#grow();
    let left = this.#givenUp > mostGivenUp ? Number.POSITIVE_INFINITY : visits;
    while (left > 0 && !this.#isSettled()) {
      left = this.#changes.walk(left);
      if (left <= 0) break;
      if (this.#underWay || this.#beginCounting()) left -= this.#countOn();
      else left = this.#measureOn(left);
    }
    return this.#isSettled();
  }

  /** Settles as much as fits into one step, once after each change, so frequent callers do not wait for more. */
  settleAtOnce(): void {
    if (this.#isChanged) this.settle(visitsAtOnce);
    this.#isChanged = false;
  }

  /** Computes the missing counts of these vertices in one pass. */
  prepare(vertices: readonly number[]): void {
    this.#grow();
    this.#changes.walk(Number.POSITIVE_INFINITY);
    const missing = vertices.filter((vertex) => this.#state[vertex] !== exact);
    if (missing.length > 0) this.#asked.count(missing, this.#counted, (vertex, count) => this.#set(vertex, count));
  }

  /** The followed vertices whose count or length changed since the last call; may contain duplicates. */
  takeRecounted(): readonly number[] {
    const recounted = this.#recounted;
    this.#recounted = [];
    return recounted;
  }

  of(vertex: number): number {
    if (!this.#changes.isOver || this.#state[vertex] !== exact) this.prepare([vertex]);
    return this.#leverage[vertex] ?? 0;
  }

  /** The last count if the vertex is followed, and thus counted again soon; otherwise the exact count. */
  recent(vertex: number): number {
    this.settleAtOnce();
    return this.#isFollowed[vertex] === 1 && this.#state[vertex] !== unknown ? this.known(vertex) : this.of(vertex);
  }

  /** The last count; 0 if there is none. */
  known(vertex: number): number {
    return this.#leverage[vertex] ?? 0;
  }

  /** Minutes on the longest remaining path, its own included. */
  minutes(vertex: number): number {
    this.#grow();
    this.#changes.walk(Number.POSITIVE_INFINITY);
    this.#paths.measure(vertex, Number.POSITIVE_INFINITY);
    return this.#paths.known(vertex);
  }

  knownMinutes(vertex: number): number {
    return this.#paths.known(vertex);
  }

  clear(): void {
    this.#giveUp();
    this.#recounted = [];
    this.#due.clear();
    this.#changes.clear();
    this.#dependents.clear();
    this.#dependencies.clear();
    this.#paths.clear();
    for (const flags of [this.#counted, this.#state, this.#isFollowed]) flags.fill(0);
  }

  #isSettled(): boolean {
    return this.#changes.isOver && this.#due.size === 0;
  }

  /** Something at or behind this vertex changed: its dependencies must be counted again. */
  #touch(vertex: number): void {
    this.#paths.leave();
    this.#changes.add(vertex);
    this.#isChanged = true;
  }

  #set(vertex: number, count: number): void {
    const isNews = this.#leverage[vertex] !== count || this.#state[vertex] === unknown;
    this.#leverage[vertex] = count;
    this.#state[vertex] = exact;
    if (isNews && this.#isFollowed[vertex] === 1) this.#recounted.push(vertex);
  }

  #forget(vertex: number): void {
    if (this.#state[vertex] === exact) this.#state[vertex] = stale;
    this.#paths.forget(vertex);
    if (this.#isFollowed[vertex] === 1) this.#due.add(vertex);
    if (this.#underWay?.isSource[vertex] === 1) this.#underWay.spoiled.add(vertex);
  }

  #beginCounting(): boolean {
    const sources = [...this.#due].filter((vertex) => this.#state[vertex] !== exact);
    if (sources.length === 0) return false;
    const isSource = new Uint8Array(this.#counted.length);
    for (const source of sources) isSource[source] = 1;
    const spoiled = new Set<number>();
    const steps = this.#following.counting(sources, this.#counted, (vertex, count) => {
      if (!spoiled.has(vertex)) this.#set(vertex, count);
    });
    this.#underWay = { steps, isSource, spoiled };
    return true;
  }

  #countOn(): number {
    const step = this.#underWay?.steps.next();
    if (step?.done === false) return step.value;
    this.#underWay = undefined;
    this.#givenUp = 0;
    return 0;
  }

  #measureOn(visits: number): number {
    let left = visits;
    for (const vertex of this.#due) {
      left = this.#paths.measure(vertex, left);
      if (!this.#paths.isMeasured(vertex)) return left;
      if (this.#state[vertex] === exact) this.#due.delete(vertex);
    }
    return left;
  }

  #giveUp(): void {
    if (this.#underWay) this.#givenUp += 1;
    this.#underWay = undefined;
  }

  #grow(): void {
    const size = this.#graph.size;
    if (this.#state.length >= size) return;
    this.#giveUp();
    const room = Math.ceil(size * 1.5) + 16;
    this.#counted = copyInto(new Uint8Array(room), this.#counted);
    this.#leverage = copyInto(new Int32Array(room), this.#leverage);
    this.#state = copyInto(new Uint8Array(room), this.#state);
    this.#isFollowed = copyInto(new Uint8Array(room), this.#isFollowed);
    this.#changes.grow(room);
    this.#paths.grow(room, this.#counted);
    this.#dependents.reserve(room);
    this.#dependencies.reserve(room);
  }
}

function copyInto<Numbers extends Uint8Array | Int32Array>(into: Numbers, from: Numbers): Numbers {
  into.set(from);
  return into;
}

/** Visits every vertex that leads to a changed one, each once, step by step. */
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

  /** Visits at most `visits` vertices; returns how many visits are left. */
  walk(visits: number): number {
    if (this.isOver) return visits;
    // After an interruption, visited vertices stay visited: nothing is counted before the walk ends.
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
