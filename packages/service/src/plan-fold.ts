/** What a plan's history comes to, as the browser uses it: the same events, the same folds. */
export { ClaimBook } from './coordination/claims/book.ts';
export type { Lease } from './coordination/claims/lease.ts';
export { EvidenceBook } from './coordination/evidence/book.ts';
export { type Evidence, type Proof, proofOf } from './coordination/evidence/evidence.ts';
export type { PlanEvent } from './coordination/plans/events.ts';
export { evolve, type Plan, type PlanNode, planFrom } from './coordination/plans/plan.ts';
export type { Recorded } from './kernel/event-log.ts';
