import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { PlanBook } from './book.ts';
import { keyOf } from './key.ts';
import type { Plan, PlanNode } from './plan.ts';

export const unknownPlan = (slug: string): Refusal =>
  refuse('plan_not_found', `There is no plan ${slug}. List the plans to see their slugs.`);

export const unknownNode = (slug: string, id: string): Refusal =>
  refuse('node_not_found', `The plan ${slug} has no node ${id}. Get the plan to see its nodes.`);

/** A plan that is not archived: work is taken from no other, as if it were not there. */
export function activePlan(book: PlanBook, slug: string): Plan | Refusal {
  const plan = book.find(slug);
  if (!plan) return unknownPlan(slug);
  if (plan.archivedAt === null) return plan;
  return refuse('plan_not_found', `The plan ${plan.slug} is archived: no work is taken from it. Restore it with PUT.`);
}

/** A plan that may be written to. */
export function openPlan(book: PlanBook, slug: string): Plan | Refusal {
  const plan = book.find(slug);
  if (!plan) return unknownPlan(slug);
  return plan.archivedAt === null ? plan : refuseArchived(plan);
}

/** A node that may be written to. That it is there comes before how its plan stands. */
export function openNode(book: PlanBook, slug: string, id: string): { plan: Plan; node: PlanNode } | Refusal {
  const plan = book.find(slug);
  if (!plan) return unknownPlan(slug);
  const node = plan.nodes.get(keyOf(id));
  if (!node) return unknownNode(plan.slug, id);
  return plan.archivedAt === null ? { plan, node } : refuseArchived(plan);
}

const refuseArchived = ({ slug }: Plan): Refusal =>
  refuse('plan_archived', `The plan ${slug} is archived. Import it with PUT to restore it.`);
