import { type NodeKey, type NodeRef, nodeRef } from '../../kernel/streams.ts';
import type { Plan, PlanNode } from './plan.ts';

/** Called after every structural change. */
export type GraphObserver = {
  nodeChanged(vertex: number): void;
  edgeAdded(dependency: number, dependent: number): void;
  edgeRemoved(dependency: number, dependent: number): void;
};

/** The graph's vertices in order, with their edges; the plans hold the nodes themselves. */
export type SavedGraph = Pick<Graph, 'keys' | 'refs' | 'addedSequence' | 'dependsOn' | 'dependents'> & {
  planned: readonly boolean[];
};
type NodeAt = (key: NodeKey) => { plan: Plan | undefined; node: PlanNode | undefined };

const noObserver: GraphObserver = { nodeChanged() {}, edgeAdded() {}, edgeRemoved() {} };

/**
 * Every node of every plan as a number, with its edges in both directions. A vertex that is only referenced has no
 * node: it is missing, and blocks its dependents. Vertices are never reused for another key.
 */
export class Graph {
  readonly keys: NodeKey[] = [];
  readonly dependsOn: number[][] = [];
  readonly dependents: number[][] = [];
  readonly plans: (Plan | undefined)[] = [];
  readonly nodes: (PlanNode | undefined)[] = [];
  /** The sequence of the event that added the node; all nodes of one document have the same one. */
  readonly addedSequence: number[] = [];
  /** `<plan>/<node>` as its plan and node spell it; while it is missing, as its dependents spell it. */
  readonly refs: NodeRef[] = [];
  observer: GraphObserver = noObserver;
  #index = new Map<NodeKey, number>();

  get size(): number {
    return this.keys.length;
  }

  find(key: NodeKey): number | undefined {
    return this.#index.get(key);
  }

  vertex(key: NodeKey, ref: NodeRef): number {
    const known = this.#index.get(key);
    if (known !== undefined) return known;
    const vertex = this.keys.length;
    this.#index.set(key, vertex);
    this.keys.push(key);
    this.dependsOn.push([]);
    this.dependents.push([]);
    this.plans.push(undefined);
    this.nodes.push(undefined);
    this.addedSequence.push(0);
    this.refs.push(ref);
    return vertex;
  }

  setNode(vertex: number, plan: Plan, node: PlanNode, sequence: number): void {
    this.addedSequence[vertex] = sequence;
    this.refs[vertex] = nodeRef(plan.slug, node.id);
    this.plans[vertex] = plan;
    this.nodes[vertex] = node;
    this.observer.nodeChanged(vertex);
  }

  /** Its dependents keep their edges, which now lead to a missing node. */
  removeNode(vertex: number): void {
    for (const dependency of [...this.#edges(this.dependsOn, vertex)]) this.removeEdge(dependency, vertex);
    this.nodes[vertex] = undefined;
    this.observer.nodeChanged(vertex);
  }

  addEdge(dependency: number, dependent: number): void {
    this.#edges(this.dependsOn, dependent).push(dependency);
    this.#edges(this.dependents, dependency).push(dependent);
    this.observer.edgeAdded(dependency, dependent);
  }

  removeEdge(dependency: number, dependent: number): void {
    removeValue(this.#edges(this.dependsOn, dependent), dependency);
    removeValue(this.#edges(this.dependents, dependency), dependent);
    this.observer.edgeRemoved(dependency, dependent);
  }

  clear(): void {
    for (const list of [
      this.keys,
      this.dependsOn,
      this.dependents,
      this.plans,
      this.nodes,
      this.addedSequence,
      this.refs,
    ]) {
      list.length = 0;
    }
    this.#index.clear();
  }

  save(): SavedGraph {
    const { keys, refs, addedSequence, dependsOn, dependents } = this;
    return { keys, refs, addedSequence, dependsOn, dependents, planned: this.plans.map((plan) => plan !== undefined) };
  }

  load(saved: SavedGraph, at: NodeAt): void {
    for (const [vertex, key] of saved.keys.entries()) {
      this.vertex(key, saved.refs[vertex] ?? nodeRef('', ''));
      const { plan, node } = at(key);
      this.addedSequence[vertex] = saved.addedSequence[vertex] ?? 0;
      this.dependsOn[vertex] = saved.dependsOn[vertex] ?? [];
      this.dependents[vertex] = saved.dependents[vertex] ?? [];
      this.plans[vertex] = saved.planned[vertex] ? plan : undefined;
      this.nodes[vertex] = node;
    }
    // The state of new edges: an edge counts as open until the node it leads to is known to be done.
    for (const [dependent, edges] of this.dependsOn.entries())
      for (const dependency of edges) this.observer.edgeAdded(dependency, dependent);
    for (const [vertex, node] of this.nodes.entries()) if (node) this.observer.nodeChanged(vertex);
  }

  #edges(lists: number[][], vertex: number): number[] {
    const edges = lists[vertex];
    if (!edges) throw new RangeError(`no vertex ${vertex}`);
    return edges;
  }
}

function removeValue(list: number[], value: number): void {
  const at = list.indexOf(value);
  if (at >= 0) list.splice(at, 1);
}
