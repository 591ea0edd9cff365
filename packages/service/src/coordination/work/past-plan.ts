import type { SubmissionView } from '../../kernel/claim-view.ts';
import type { RecordedEvent } from '../../kernel/event-log.ts';
import { type NodeKey, nodeKey, streams } from '../../kernel/streams.ts';
import { ClaimProjection } from '../claims/claim-projection.ts';
import type { ClaimEvent } from '../claims/events.ts';
import type { Lease, NodeClaimState } from '../claims/lease.ts';
import { endOf, viewSubmission } from '../claims/submission.ts';
import type { EvidenceEvent } from '../evidence/events.ts';
import { EvidenceProjection } from '../evidence/evidence-projection.ts';
import { type Evidence, type Proof, proofOf } from '../evidence/node-evidence.ts';
import { evolve, type Plan, type PlanNode, planFrom } from '../plans/plan.ts';
import { isStored } from '../stored-event.ts';
import type { HistoryEntry } from './history.ts';
import { proofSince } from './submission.ts';
import { foldWork } from './work-state.ts';

const noNodes: ReadonlyMap<string, PlanNode> = new Map();

/** A plan after a part of its history; nodes by id in lower case. The page folds it too. */
export class PastPlan {
  readonly #claims = new ClaimProjection();
  readonly #evidence = new EvidenceProjection();
  #plan: Plan | null = null;

  get nodes(): ReadonlyMap<string, PlanNode> {
    return this.#plan?.nodes ?? noNodes;
  }

  get repository(): string | null {
    return this.#plan?.repository ?? null;
  }

  claimsOf(id: string): NodeClaimState {
    return this.#claims.of(keyOf(id));
  }

  leaseOf(id: string): Lease | null {
    return this.claimsOf(id).lease;
  }

  evidenceOf(id: string): Evidence | null {
    const isBound = (this.nodes.get(id)?.binding ?? null) !== null;
    return isBound ? (this.#evidence.of(keyOf(id)) ?? null) : null;
  }

  submissionOf(id: string, at: string): SubmissionView | null {
    const { submission } = this.#claims.of(keyOf(id));
    const kind = this.nodes.get(id)?.binding?.kind ?? null;
    return submission && endOf(submission, kind, at) === null ? viewSubmission(submission, kind) : null;
  }

  proofOf(id: string): Proof {
    return proofOf(this.evidenceOf(id));
  }

  /** The proof that counts for the status: while the node is submitted, only evidence observed since the submission. */
  proofAt(id: string, at: string): Proof {
    const submission = this.submissionOf(id, at);
    return submission ? proofSince(submission.at, this.evidenceOf(id)) : this.proofOf(id);
  }

  /** Applies one more event. */
  apply(entry: HistoryEntry): void {
    const event = recordedFrom(entry);
    foldWork(event, { claims: this.#claims, evidence: this.#evidence });
    if (!isStored(event, 'plan')) return;
    if (event.type === 'plan_created') this.#plan = planFrom(event.data.document, planName, event.data.source, event);
    else if (this.#plan) evolve(this.#plan, event, event);
  }
}

/** A history belongs to one plan, so a fixed name is enough. */
const planName = 'plan';
const keyOf = (id: string): NodeKey => nodeKey(planName, id);

const kindOfNodeEvent: Readonly<Record<(ClaimEvent | EvidenceEvent)['type'], 'claim' | 'evidence'>> = {
  node_claimed: 'claim',
  claim_reported: 'claim',
  claim_released: 'claim',
  claim_expired: 'claim',
  node_submitted: 'claim',
  submission_ended: 'claim',
  attempts_reset: 'claim',
  node_signed_off: 'evidence',
  evidence_observed: 'evidence',
  evidence_withdrawn: 'evidence',
};

const isNodeEvent = (type: string): type is keyof typeof kindOfNodeEvent => Object.hasOwn(kindOfNodeEvent, type);

function recordedFrom(entry: HistoryEntry): RecordedEvent {
  const topic = streams.plan(planName);
  const stream = isNodeEvent(entry.type) ? streams[kindOfNodeEvent[entry.type]](keyOf(String(entry.data.id))) : topic;
  return { ...entry, stream, topic, id: '' };
}

/** The plan after the first `count` events. */
export function pastPlanAfter(entries: readonly HistoryEntry[], count: number): PastPlan {
  const pastPlan = new PastPlan();
  for (const entry of entries.slice(0, count)) pastPlan.apply(entry);
  return pastPlan;
}

/** The plan at an instant. */
export function pastPlanAt(entries: readonly HistoryEntry[], at: string): PastPlan {
  const later = entries.findIndex((entry) => entry.at > at);
  return pastPlanAfter(entries, later < 0 ? entries.length : later);
}
