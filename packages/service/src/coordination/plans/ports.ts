import type { PlanSummary } from './contract.ts';
import type { Plan } from './plan.ts';

/** What plans look like with everything that is known of their nodes; told by the room where that meets. */
export type PlanViews = {
  summary(plan: Plan): PlanSummary;
};
