/** What a plan's history comes to, as the browser uses it: the same events, the same folds. */
export { ClaimProjection } from '../coordination/claims/claim-projection.ts';
export type { Lease } from '../coordination/claims/lease.ts';
export { EvidenceProjection } from '../coordination/evidence/evidence-projection.ts';
export { type Evidence, type Proof, proofOf } from '../coordination/evidence/node-evidence.ts';
export type { PlanEvent } from '../coordination/plans/events.ts';
export { evolve, type Plan, type PlanNode, planFrom } from '../coordination/plans/plan.ts';
export type { RecordedEvent } from '../kernel/event-log.ts';
