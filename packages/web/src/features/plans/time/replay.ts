import {
  ClaimBook,
  type Evidence,
  EvidenceBook,
  evolve,
  type Lease,
  type Plan,
  type PlanEvent,
  type PlanNode,
  type Proof,
  planFrom,
  proofOf,
  type Recorded,
} from 'signalbox/plan-fold';
import type { HistoryEntry } from '../../../live/wire.ts';

const noNodes: ReadonlyMap<string, PlanNode> = new Map();

/** A plan as it was after some part of its history, folded as the service folds it; nodes by their id in lower case. */
export class Picture {
  readonly #claims = new ClaimBook();
  readonly #evidence = new EvidenceBook();
  #plan: Plan | null = null;

  get nodes(): ReadonlyMap<string, PlanNode> {
    return this.#plan?.nodes ?? noNodes;
  }

  get repository(): string | null {
    return this.#plan?.repository ?? null;
  }

  leaseOf(key: string): Lease | null {
    return this.#claims.of(`${own}/${key}`).lease;
  }

  evidenceOf(key: string): Evidence | null {
    const isBound = (this.nodes.get(key)?.binding ?? null) !== null;
    return isBound ? (this.#evidence.of(`${own}/${key}`) ?? null) : null;
  }

  proofOf(key: string): Proof {
    return proofOf(this.evidenceOf(key));
  }

  /** Takes one more event in. */
  step(entry: HistoryEntry): void {
    const stream = streamOf(entry);
    const recorded = { ...entry, stream, topic: stream, id: '' } as Recorded;
    this.#claims.apply(recorded);
    this.#evidence.apply(recorded);
    if (!stream.startsWith('plan:')) return;
    const event = recorded as Recorded & PlanEvent;
    if (event.type === 'plan_created') this.#plan = planFrom(event.data.document, own, event.data.source, event);
    else if (this.#plan) evolve(this.#plan, event, event);
  }
}

/** A history is that of one plan, so that its name does not matter. */
const own = 'plan';
const kinds: Readonly<Record<string, string>> = {
  node_claimed: 'claim',
  claim_reported: 'claim',
  claim_released: 'claim',
  claim_expired: 'claim',
  node_signed_off: 'evidence',
  evidence_observed: 'evidence',
};

function streamOf({ type, data }: HistoryEntry): string {
  const kind = kinds[type];
  return kind === undefined ? `plan:${own}` : `${kind}:${own}/${String(data.id).toLowerCase()}`;
}

/** The plan after the first so many events. */
export function pictureAfter(entries: readonly HistoryEntry[], count: number): Picture {
  const picture = new Picture();
  for (const entry of entries.slice(0, count)) picture.step(entry);
  return picture;
}

/** The plan as it stood at an instant. */
export function pictureAt(entries: readonly HistoryEntry[], at: string): Picture {
  const later = entries.findIndex((entry) => entry.at > at);
  return pictureAfter(entries, later < 0 ? entries.length : later);
}
