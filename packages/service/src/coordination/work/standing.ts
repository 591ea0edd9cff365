import { type Evidence, type Proof, proofOf } from '../evidence/evidence.ts';
import type { Graph, GraphObserver } from '../plans/graph.ts';
import { Leverage } from './leverage.ts';
import { ReadyOrder } from './ready-order.ts';

/** Which nodes are done, which wait, and in which order the ready ones are offered; followed change by change. */
export class Standing implements GraphObserver {
  readonly leverage: Leverage;
  readonly #graph: Graph;
  readonly #evidenceOf: (vertex: number) => Evidence | null;
  #proofs: Proof[] = [];
  /** How many dependencies of a vertex are not done, missing ones included. */
  #waiting: number[] = [];
  readonly #ready: ReadyOrder;
  #moved = new Set<number>();

  constructor(graph: Graph, evidenceOf: (vertex: number) => Evidence | null) {
    this.#graph = graph;
    this.#evidenceOf = evidenceOf;
    this.leverage = new Leverage(graph);
    this.#ready = new ReadyOrder(graph, this.leverage);
    graph.observer = this;
  }

  proof(vertex: number): Proof {
    return this.#proofs[vertex] ?? 'open';
  }

  isDone(vertex: number): boolean {
    return this.#proofs[vertex] === 'done';
  }

  isBlocked(vertex: number): boolean {
    return (this.#waiting[vertex] ?? 0) > 0;
  }

  isReady(vertex: number): boolean {
    const proof = this.proof(vertex);
    return proof !== 'done' && proof !== 'running' && !this.isBlocked(vertex);
  }

  /** The ready nodes of all active plans, best first. */
  readyOrder(): readonly number[] {
    return this.#ready.all();
  }

  /** Vertices whose status may have changed since this was last asked. */
  takeMoved(): number[] {
    const moved = [...this.#moved];
    this.#moved.clear();
    return moved;
  }

  nodeChanged(vertex: number): void {
    const before = this.proof(vertex);
    const exists = this.#graph.nodes[vertex] !== undefined;
    const proof = exists ? proofOf(this.#evidenceOf(vertex)) : 'open';
    this.#proofs[vertex] = proof;
    if ((before === 'done') !== (proof === 'done')) this.#tellDependents(vertex, proof === 'done' ? -1 : 1);
    this.leverage.setCounted(vertex, proof !== 'done' && this.#isActive(vertex));
    this.#settle(vertex);
  }

  edgeAdded(dependency: number, dependent: number): void {
    if (!this.isDone(dependency)) this.#waiting[dependent] = (this.#waiting[dependent] ?? 0) + 1;
    this.leverage.addEdge(dependency, dependent);
    this.#settle(dependent);
  }

  edgeRemoved(dependency: number, dependent: number): void {
    if (!this.isDone(dependency)) this.#waiting[dependent] = (this.#waiting[dependent] ?? 0) - 1;
    this.leverage.removeEdge(dependency, dependent);
    this.#settle(dependent);
  }

  clear(): void {
    this.#proofs = [];
    this.#waiting = [];
    this.#ready.clear();
    this.#moved.clear();
    this.leverage.clear();
  }

  #tellDependents(vertex: number, change: 1 | -1): void {
    for (const dependent of this.#graph.dependents[vertex] ?? []) {
      this.#waiting[dependent] = (this.#waiting[dependent] ?? 0) + change;
      this.#settle(dependent);
    }
  }

  #settle(vertex: number): void {
    this.#moved.add(vertex);
    this.#ready.set(vertex, this.#isActive(vertex) && this.isReady(vertex));
  }

  #isActive(vertex: number): boolean {
    return this.#graph.nodes[vertex] !== undefined && this.#graph.plans[vertex]?.archivedAt === null;
  }
}
