import { type Evidence, type Proof, proofOf } from '../evidence/node-evidence.ts';
import type { Graph, GraphObserver } from '../plans/graph.ts';
import type { Priority } from '../plans/priority.ts';
import { Leverage } from './leverage.ts';
import { Priorities } from './priorities.ts';
import { ReadyOrder } from './ready-order.ts';

/** Which nodes are done, which wait, and in which order the ready ones are offered; followed change by change. */
export class NodeProgress implements GraphObserver {
  readonly leverage: Leverage;
  readonly priorities: Priorities;
  readonly #graph: Graph;
  readonly #evidenceOf: (vertex: number) => Evidence | null;
  #proofs: Proof[] = [];
  /** How many dependencies of a vertex are not done, missing ones included. */
  #openDependencies: number[] = [];
  readonly #ready: ReadyOrder;
  /** One for each reader of the changes; the first is that of `takeChanged`. */
  readonly #changed = [new Set<number>()];

  constructor(graph: Graph, evidenceOf: (vertex: number) => Evidence | null) {
    this.#graph = graph;
    this.#evidenceOf = evidenceOf;
    this.leverage = new Leverage(graph);
    this.priorities = new Priorities(graph, (vertex) => {
      this.#noteChanged(vertex);
      this.#ready.moved(vertex);
    });
    this.#ready = new ReadyOrder(graph, this.leverage, this.priorities);
    graph.observer = this;
  }

  proof(vertex: number): Proof {
    return this.#proofs[vertex] ?? 'open';
  }

  isDone(vertex: number): boolean {
    return this.#proofs[vertex] === 'done';
  }

  isBlocked(vertex: number): boolean {
    return (this.#openDependencies[vertex] ?? 0) > 0;
  }

  isReady(vertex: number): boolean {
    const proof = this.proof(vertex);
    return proof !== 'done' && proof !== 'running' && !this.isBlocked(vertex);
  }

  /** The ready nodes of all active plans, best first as far as that is counted. */
  readyOrder(): readonly number[] {
    return this.#ready.all();
  }

  /** Counts on what the order still lacks, visiting about so many nodes; true once it lacks nothing. */
  settleOrder(visits: number): boolean {
    return this.leverage.settle(visits);
  }

  /** Vertices whose status may have changed since this was last asked. */
  takeChanged(): number[] {
    const [first] = this.#changed;
    return first ? taken(first) : [];
  }

  /** The same for a reader of its own. */
  followChanges(): () => number[] {
    const own = new Set<number>();
    this.#changed.push(own);
    return () => taken(own);
  }

  nodeChanged(vertex: number): void {
    const before = this.proof(vertex);
    const exists = this.#graph.nodes[vertex] !== undefined;
    const proof = exists ? proofOf(this.#evidenceOf(vertex)) : 'open';
    this.#proofs[vertex] = proof;
    if ((before === 'done') !== (proof === 'done')) this.#updateDependents(vertex, proof === 'done' ? -1 : 1);
    const isOpen = proof !== 'done' && this.#isActive(vertex);
    this.leverage.setCounted(vertex, isOpen);
    this.priorities.set(vertex, this.#saidOf(vertex), isOpen);
    this.#updateReadiness(vertex);
  }

  edgeAdded(dependency: number, dependent: number): void {
    if (!this.isDone(dependency)) this.#openDependencies[dependent] = (this.#openDependencies[dependent] ?? 0) + 1;
    this.leverage.addEdge(dependency, dependent);
    this.priorities.edgeAdded(dependency, dependent);
    this.#updateReadiness(dependent);
  }

  edgeRemoved(dependency: number, dependent: number): void {
    if (!this.isDone(dependency)) this.#openDependencies[dependent] = (this.#openDependencies[dependent] ?? 0) - 1;
    this.leverage.removeEdge(dependency, dependent);
    this.priorities.edgeRemoved(dependency, dependent);
    this.#updateReadiness(dependent);
  }

  clear(): void {
    this.#proofs = [];
    this.#openDependencies = [];
    this.#ready.clear();
    for (const changed of this.#changed) changed.clear();
    this.leverage.clear();
    this.priorities.clear();
  }

  #updateDependents(vertex: number, change: 1 | -1): void {
    for (const dependent of this.#graph.dependents[vertex] ?? []) {
      this.#openDependencies[dependent] = (this.#openDependencies[dependent] ?? 0) + change;
      this.#updateReadiness(dependent);
    }
  }

  #updateReadiness(vertex: number): void {
    this.#noteChanged(vertex);
    this.#ready.set(vertex, this.#isActive(vertex) && this.isReady(vertex));
  }

  #noteChanged(vertex: number): void {
    for (const changed of this.#changed) changed.add(vertex);
  }

  #saidOf(vertex: number): Priority | null {
    return this.#graph.nodes[vertex]?.priority ?? this.#graph.plans[vertex]?.priority ?? null;
  }

  #isActive(vertex: number): boolean {
    return this.#graph.nodes[vertex] !== undefined && this.#graph.plans[vertex]?.archivedAt === null;
  }
}

function taken(changed: Set<number>): number[] {
  const moved = [...changed];
  changed.clear();
  return moved;
}
