import {
  ClaimProjection,
  type Evidence,
  EvidenceProjection,
  evolve,
  type Lease,
  type Plan,
  type PlanEvent,
  type PlanNode,
  type Proof,
  planFrom,
  proofOf,
  type RecordedEvent,
} from 'signalbox/browser/plan-fold';
import type { HistoryEntry } from '../../../live/wire.ts';

const noNodes: ReadonlyMap<string, PlanNode> = new Map();

/** A plan as it was after some part of its history, folded as the service folds it; nodes by their id in lower case. */
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

  leaseOf(key: string): Lease | null {
    return this.#claims.of(`${planName}/${key}`).lease;
  }

  evidenceOf(key: string): Evidence | null {
    const isBound = (this.nodes.get(key)?.binding ?? null) !== null;
    return isBound ? (this.#evidence.of(`${planName}/${key}`) ?? null) : null;
  }

  proofOf(key: string): Proof {
    return proofOf(this.evidenceOf(key));
  }

  /** Applies one more event. */
  apply(entry: HistoryEntry): void {
    const stream = streamOf(entry);
    const recorded = { ...entry, stream, topic: stream, id: '' } as RecordedEvent;
    this.#claims.apply(recorded);
    this.#evidence.apply(recorded);
    if (!stream.startsWith('plan:')) return;
    const event = recorded as RecordedEvent & PlanEvent;
    if (event.type === 'plan_created') this.#plan = planFrom(event.data.document, planName, event.data.source, event);
    else if (this.#plan) evolve(this.#plan, event, event);
  }
}

/** A history belongs to one plan, so a fixed name is enough. */
const planName = 'plan';
const streamKinds: Readonly<Record<string, string>> = {
  node_claimed: 'claim',
  claim_reported: 'claim',
  claim_released: 'claim',
  claim_expired: 'claim',
  node_signed_off: 'evidence',
  evidence_observed: 'evidence',
};

function streamOf({ type, data }: HistoryEntry): string {
  const kind = streamKinds[type];
  return kind === undefined ? `plan:${planName}` : `${kind}:${planName}/${String(data.id).toLowerCase()}`;
}

/** The plan after the first `count` events. */
export function pastPlanAfter(entries: readonly HistoryEntry[], count: number): PastPlan {
  const pastPlan = new PastPlan();
  for (const entry of entries.slice(0, count)) pastPlan.apply(entry);
  return pastPlan;
}

/** The plan as it stood at an instant. */
export function pastPlanAt(entries: readonly HistoryEntry[], at: string): PastPlan {
  const later = entries.findIndex((entry) => entry.at > at);
  return pastPlanAfter(entries, later < 0 ? entries.length : later);
}
