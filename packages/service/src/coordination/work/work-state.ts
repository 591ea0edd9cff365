import type { SubmissionView } from '../../kernel/claim-view.ts';
import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import { isOfKind, type NodeKey, nodeKey, nodeKeyOf } from '../../kernel/streams.ts';
import { type Attempts, noAttempts } from '../claims/attempts.ts';
import { ClaimProjection } from '../claims/claim-projection.ts';
import { afterExpiry, hasExpired, isLive, type Lease } from '../claims/lease.ts';
import { endOf, viewSubmission } from '../claims/submission.ts';
import { EvidenceProjection } from '../evidence/evidence-projection.ts';
import { type Evidence, notYetObserved, proofOf } from '../evidence/node-evidence.ts';
import type { Status } from '../plans/contract.ts';
import { PlanProjection } from '../plans/plan-projection.ts';
import { changedNode, removedNode, splitNode, unprovenNode } from '../plans/removed-node.ts';
import { NodeProgress } from './node-progress.ts';
import { nodeStatus } from './node-status.ts';
import { judgeSubmission, proofSince } from './submission.ts';

/** Plans, claims and evidence folded from one log, and what follows from the three together. */
export class WorkState implements SavableProjection<SavedWork> {
  readonly savedAs = 'work';
  /** Where neither a node nor its plan says how many. */
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

  /** The vertex of a node that exists, in an archived plan too. */
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

  /** What was handed in and is neither proven, contradicted nor overdue. */
  submissionOf(vertex: number, now: string): SubmissionView | null {
    const { submission } = this.claims.of(this.keyOf(vertex));
    if (!submission) return null;
    const kind = this.plans.graph.nodes[vertex]?.binding?.kind ?? null;
    return endOf(submission, kind, now) === null ? viewSubmission(submission, kind) : null;
  }

  /** Those that came to nothing; a lease that has run out counts before an event says so. */
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

  /** Until when `claim_next` passes it by. */
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

/** Folds what happened to a node's claim and evidence, what follows for them from a change of its plan included. */
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
