import type { Refusal } from '../../kernel/outcome.ts';
import { unknownNode, unknownPlan } from '../plans/find.ts';
import type { Picture } from './picture.ts';

/** A node that can be claimed: an archived plan takes no new claim, as if it were not there. */
export function activeNode(picture: Picture, plan: string, node: string): number | Refusal {
  const found = picture.plans.find(plan);
  return !found || found.archivedAt !== null ? unknownPlan(plan) : anyNode(picture, plan, node);
}

export function anyNode(picture: Picture, plan: string, node: string): number | Refusal {
  if (!picture.plans.find(plan)) return unknownPlan(plan);
  return picture.find(plan, node) ?? unknownNode(plan, node);
}
