import { isRefusal, type Refusal } from '../../kernel/outcome.ts';
import { activePlan, unknownNode, unknownPlan } from '../plans/find-plan.ts';
import type { WorkState } from './work-state.ts';

/** A node that can be claimed. */
export function activeNode(workState: WorkState, plan: string, node: string): number | Refusal {
  const found = activePlan(workState.plans, plan);
  return isRefusal(found) ? found : anyNode(workState, plan, node);
}

export function anyNode(workState: WorkState, plan: string, node: string): number | Refusal {
  if (!workState.plans.find(plan)) return unknownPlan(plan);
  return workState.find(plan, node) ?? unknownNode(plan, node);
}
