/** Folds a plan's history in the browser: the same events, the same folds as in the service. */
export type { Lease } from '../coordination/claims/lease.ts';
export type { PlanNode } from '../coordination/plans/plan.ts';
export { PastPlan, pastPlanAfter, pastPlanAt } from '../coordination/work/past-plan.ts';
