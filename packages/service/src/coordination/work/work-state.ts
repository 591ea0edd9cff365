import type { SubmissionView } from '../../kernel/claim-view.ts';
import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import { isOfKind, type NodeKey, nodeKey, nodeKeyOf } from '../../kernel/streams.ts';
import { ClaimProjection } from '../claims/claim-projection.ts';
import { type Attempts, afterExpiry, hasExpired, isLive, type Lease, noAttempts } from '../claims/lease.ts';
import { endOf, viewSubmission } from '../claims/submission.ts';
import { EvidenceProjection } from '../evidence/evidence-projection.ts';
import { type Evidence, notYetObserved, type Proof, proofOf } from '../evidence/node-evidence.ts';
import type { Status } from '../plans/contract.ts';
import type { Graph, GraphObserver } from '../plans/graph.ts';
import { PlanProjection } from '../plans/plan-projection.ts';
import type { Priority } from '../plans/priority.ts';
import { changedNode, removedNode, splitNode, unprovenNode } from '../plans/removed-node.ts';
import { Leverage } from './leverage.ts';
import { nodeStatus } from './node-status.ts';
import { Priorities } from './priorities.ts';
import { ReadyOrder } from './ready-order.ts';
import { judgeSubmission, proofSince } from './submission.ts';

/** Plans, claims and evidence folded from one log, and the state derived from all three. */
export class WorkState implements SavableProjection<SavedWork> {
  readonly savedAs = 'work';
  /** The default, if neither a node nor its plan sets a limit. */
  maxAttempts = 5;
  readonly plans = new PlanProjection();
  readonly claims = new ClaimProjection();
  readonly evidence = new EvidenceProjection();
  readonly progress = new NodeProgress(this.plans.graph, (vertex) => this.evidenceOf(vertex));

  apply(event: RecordedEvent): void {
    foldWork(event, this);
    // Last, because it reads claims and evidence of a changed node.
    this.plans.apply(event);
    if (isOfKind(event, 'evidence')) {
      const vertex = this.plans.graph.find(nodeKeyOf(event));
      if (vertex !== undefined) this.progress.nodeChanged(vertex);
    }
  }

  reset(): void {
    this.claims.reset();
    this.evidence.reset();
    this.plans.reset();
    this.progress.clear();
  }

  save(): SavedWork {
    return { claims: this.claims.save(), evidence: this.evidence.save(), plans: this.plans.save() };
  }

  load(saved: SavedWork): void {
    this.claims.load(saved.claims);
    this.evidence.load(saved.evidence);
    // Last, because it reads claims and evidence of its nodes.
    this.plans.load(saved.plans);
    this.progress.takeChanged();
  }

  /** The vertex of an existing node, also in an archived plan. */
  find(plan: string, node: string): number | undefined {
    const vertex = this.plans.graph.find(nodeKey(plan, node));
    return vertex !== undefined && this.plans.graph.nodes[vertex] ? vertex : undefined;
  }

  keyOf(vertex: number): NodeKey {
    return this.plans.graph.keys[vertex] ?? nodeKey('', '');
  }

  evidenceOf(vertex: number): Evidence | null {
    const binding = this.plans.graph.nodes[vertex]?.binding;
    return binding ? (this.evidence.of(this.keyOf(vertex)) ?? notYetObserved(binding)) : null;
  }

  liveLease(vertex: number, now: string): Lease | null {
    const { lease } = this.claims.of(this.keyOf(vertex));
    return isLive(lease, now) ? lease : null;
  }

  /** A submission that is neither proven nor contradicted nor overdue. */
  submissionOf(vertex: number, now: string): SubmissionView | null {
    const { submission } = this.claims.of(this.keyOf(vertex));
    if (!submission) return null;
    const kind = this.plans.graph.nodes[vertex]?.binding?.kind ?? null;
    return endOf(submission, kind, now) === null ? viewSubmission(submission, kind) : null;
  }

  /** Failed attempts; an expired lease counts before its event is written. */
  attemptsOf(vertex: number, now: string): Attempts {
    const state = this.claims.of(this.keyOf(vertex));
    const { attempts, lease } = state;
    if (!hasExpired(lease, now)) return attempts ?? noAttempts;
    const { agent, expiresAt: at, note } = lease;
    return afterExpiry(state, { agent, at, note }) ?? noAttempts;
  }

  attemptLimitOf(vertex: number): number {
    const { nodes, plans } = this.plans.graph;
    return nodes[vertex]?.maxAttempts ?? plans[vertex]?.maxAttempts ?? this.maxAttempts;
  }

  /** The time until which `claim_next` skips it. */
  notBefore(vertex: number, now: string): string | null {
    const { notBefore = null } = this.claims.of(this.keyOf(vertex));
    return notBefore !== null && notBefore > now ? notBefore : null;
  }

  isReady(vertex: number, now: string): boolean {
    return this.progress.isReady(vertex) && this.submissionOf(vertex, now) === null;
  }

  status(vertex: number, now: string): Status {
    const submission = this.submissionOf(vertex, now);
    return nodeStatus({
      proof: submission ? proofSince(submission.at, this.evidenceOf(vertex)) : this.progress.proof(vertex),
      claimed: this.liveLease(vertex, now) !== null,
      submitted: submission !== null,
      blocked: this.progress.isBlocked(vertex),
    });
  }
}

/** Folds events about a node's claim and evidence, including the effects of a change of its plan. */
export function foldWork(
  event: RecordedEvent,
  { claims, evidence }: { claims: ClaimProjection; evidence: EvidenceProjection },
): void {
  const before = isOfKind(event, 'evidence') ? evidence.of(nodeKeyOf(event)) : undefined;
  claims.apply(event);
  evidence.apply(event);
  if (isOfKind(event, 'evidence')) {
    const key = nodeKeyOf(event);
    judgeSubmitted(key, before, { claims, evidence });
    if (proofOf(evidence.of(key) ?? null) === 'done') claims.forgetAttempts(key, event.at);
  }
  const split = splitNode(event);
  if (split) claims.nodeSplit(split.key, split, event.at);
  const changed = changedNode(event);
  if (changed) claims.forgetAttempts(changed, event.at);
  const removed = removedNode(event);
  if (removed) claims.nodeRemoved(removed.key, removed.ended, event.at);
  const unproven = unprovenNode(event);
  if (unproven === undefined) return;
  evidence.forget(unproven);
  claims.nodeBound(unproven, event.at);
}

function judgeSubmitted(
  key: NodeKey,
  before: Evidence | undefined,
  { claims, evidence }: { claims: ClaimProjection; evidence: EvidenceProjection },
): void {
  const { submission } = claims.of(key);
  const settled = submission ? judgeSubmission(submission, before, evidence.of(key)) : null;
  if (settled) claims.settleSubmission(key, settled);
}

type SavedWork = {
  claims: ReturnType<ClaimProjection['save']>;
  evidence: ReturnType<EvidenceProjection['save']>;
  plans: ReturnType<PlanProjection['save']>;
};

/** Which nodes are done, which are waiting, and in which order ready nodes are offered; updated with each change. */
export class NodeProgress implements GraphObserver {
  readonly leverage: Leverage;
  readonly priorities: Priorities;
  readonly #graph: Graph;
  readonly #evidenceOf: (vertex: number) => Evidence | null;
  #proofs: Proof[] = [];
  /** How many dependencies of a vertex are not done, missing ones included. */
  #openDependencies: number[] = [];
  readonly #ready: ReadyOrder;
  /** One set for each reader of the changes; the first belongs to `takeChanged`. */
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

  /** The ready nodes of all active plans, best first as far as they are counted. */
  readyOrder(): readonly number[] {
    return this.#ready.all();
  }

  /** Continues the missing counts of the order, visiting about this many nodes; true once none is missing. */
  settleOrder(visits: number): boolean {
    return this.leverage.settle(visits);
  }

  /** Vertices whose status may have changed since the last call. */
  takeChanged(): number[] {
    const [first] = this.#changed;
    return first ? taken(first) : [];
  }

  /** Follows the changes for one reader: returns a function that takes those since its last call. */
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
