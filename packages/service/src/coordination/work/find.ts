import { isRefusal, type Refusal } from '../../kernel/outcome.ts';
import { activePlan, unknownNode, unknownPlan } from '../plans/find.ts';
import type { Picture } from './picture.ts';

/** A node that can be claimed. */
export function activeNode(picture: Picture, plan: string, node: string): number | Refusal {
  const found = activePlan(picture.plans, plan);
  return isRefusal(found) ? found : anyNode(picture, plan, node);
}

export function anyNode(picture: Picture, plan: string, node: string): number | Refusal {
  if (!picture.plans.find(plan)) return unknownPlan(plan);
  return picture.find(plan, node) ?? unknownNode(plan, node);
}
