import type { Graph } from '../plans/graph.ts';
import type { Priority } from '../plans/priority.ts';

/** From the lowest; a node without a priority counts as normal and does not affect others. */
const levels: readonly Priority[] = ['low', 'normal', 'high', 'urgent'];
const unsaid = 0;
const levelOf = (priority: Priority): number => levels.indexOf(priority) + 1;
const normal = levelOf('normal');

/**
 * The priority of each node: the highest of its own and of the open nodes that depend on it. Updated edge by edge,
 * and only for nodes with a priority: the cost of a change is proportional to its effect.
 */
export class Priorities {
  readonly #graph: Graph;
  readonly #onChange: (vertex: number) => void;
  readonly #said = new Map<number, number>();
  /** Vertices that are done, missing or archived add nothing to their dependencies. */
  readonly #open = new Set<number>();
  readonly #levels = new Map<number, number>();
  /** The level that a vertex contributes to each of its dependencies. */
  readonly #adds = new Map<number, number>();
  /** How many open dependents of a vertex have each level. */
  readonly #dependents = new Map<number, Int32Array>();

  constructor(graph: Graph, onChange: (vertex: number) => void) {
    this.#graph = graph;
    this.#onChange = onChange;
  }

  of(vertex: number): Priority {
    return levels[this.rank(vertex) - 1] ?? 'normal';
  }

  /** A higher rank comes first. */
  rank(vertex: number): number {
    return this.#levels.size === 0 ? normal : this.#levels.get(vertex) || normal;
  }

  set(vertex: number, said: Priority | null, isOpen: boolean): void {
    if (said === null) this.#said.delete(vertex);
    else this.#said.set(vertex, levelOf(said));
    if (isOpen) this.#open.add(vertex);
    else this.#open.delete(vertex);
    this.#settle(vertex);
  }

  edgeAdded(dependency: number, dependent: number): void {
    this.#count(dependency, unsaid, this.#adds.get(dependent) ?? unsaid);
    this.#settle(dependency);
  }

  edgeRemoved(dependency: number, dependent: number): void {
    this.#count(dependency, this.#adds.get(dependent) ?? unsaid, unsaid);
    this.#settle(dependency);
  }

  clear(): void {
    this.#said.clear();
    this.#open.clear();
    this.#levels.clear();
    this.#adds.clear();
    this.#dependents.clear();
  }

  #count(vertex: number, from: number, to: number): void {
    if (from === to) return;
    const counts = this.#dependents.get(vertex) ?? new Int32Array(levels.length + 1);
    if (from !== unsaid) counts[from] = (counts[from] ?? 0) - 1;
    if (to !== unsaid) counts[to] = (counts[to] ?? 0) + 1;
    this.#dependents.set(vertex, counts);
  }

  /** Propagates a change at this vertex to everything it reaches. */
  #settle(changed: number): void {
    const waiting = [changed];
    for (let vertex = waiting.pop(); vertex !== undefined; vertex = waiting.pop()) {
      const level = this.#highest(vertex);
      if (setLevel(this.#levels, vertex, level)) this.#onChange(vertex);
      const before = this.#adds.get(vertex) ?? unsaid;
      const after = this.#open.has(vertex) ? level : unsaid;
      if (!setLevel(this.#adds, vertex, after)) continue;
      for (const dependency of this.#graph.dependsOn[vertex] ?? []) {
        this.#count(dependency, before, after);
        waiting.push(dependency);
      }
    }
  }

  #highest(vertex: number): number {
    const counts = this.#dependents.get(vertex);
    let level = levels.length;
    while (level > unsaid && !(counts?.[level] ?? 0)) level -= 1;
    return Math.max(level, this.#said.get(vertex) ?? unsaid);
  }
}

/** Returns whether the value changed. */
function setLevel(of: Map<number, number>, vertex: number, level: number): boolean {
  if ((of.get(vertex) ?? unsaid) === level) return false;
  if (level === unsaid) of.delete(vertex);
  else of.set(vertex, level);
  return true;
}
