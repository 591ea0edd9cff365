/** What a plan's history comes to, as the browser uses it: the same events, the same folds. */
export type { Lease } from '../coordination/claims/lease.ts';
export type { PlanNode } from '../coordination/plans/plan.ts';
export { PastPlan, pastPlanAfter, pastPlanAt } from '../coordination/work/past-plan.ts';
