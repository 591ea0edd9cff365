import { isRefusal, type Refusal, refuse } from '../../kernel/outcome.ts';
import { nodeKey } from '../../kernel/streams.ts';
import { keyOf } from './key.ts';
import type { Plan, PlanNode } from './plan.ts';
import type { PlanProjection } from './plan-projection.ts';

export const unknownPlan = (slug: string): Refusal =>
  refuse('plan_not_found', `Unknown plan ${slug}. List the plans to see their slugs.`);

export const unknownNode = (slug: string, id: string): Refusal =>
  refuse('node_not_found', `The plan ${slug} has no node ${id}. Get the plan to see its nodes.`);

/** A plan that is not archived; an archived one is refused as if it did not exist. */
export function activePlan(plans: PlanProjection, slug: string): Plan | Refusal {
  const plan = plans.find(slug);
  if (!plan) return unknownPlan(slug);
  if (plan.archivedAt === null) return plan;
  return refuse(
    'plan_not_found',
    `The plan ${plan.slug} is archived, so its nodes cannot be claimed. Restore it with PUT.`,
  );
}

/** A plan that may be written to. */
export function writablePlan(plans: PlanProjection, slug: string): Plan | Refusal {
  const plan = plans.find(slug);
  if (!plan) return unknownPlan(slug);
  return plan.archivedAt === null ? plan : refuseArchived(plan);
}

/** A node that may be written to. A missing node is refused before an archived plan. */
export function writableNode(
  plans: PlanProjection,
  slug: string,
  id: string,
): { plan: Plan; node: PlanNode } | Refusal {
  const plan = plans.find(slug);
  if (!plan) return unknownPlan(slug);
  const node = plan.nodes.get(keyOf(id));
  if (!node) return unknownNode(plan.slug, id);
  return plan.archivedAt === null ? { plan, node } : refuseArchived(plan);
}

/** The vertex of a node that can be claimed. */
export function activeNode(plans: PlanProjection, slug: string, id: string): number | Refusal {
  const plan = activePlan(plans, slug);
  return isRefusal(plan) ? plan : anyNode(plans, slug, id);
}

/** The vertex of a node, also in an archived plan. */
export function anyNode(plans: PlanProjection, slug: string, id: string): number | Refusal {
  if (!plans.find(slug)) return unknownPlan(slug);
  const vertex = plans.graph.find(nodeKey(slug, id));
  return vertex !== undefined && plans.graph.nodes[vertex] ? vertex : unknownNode(slug, id);
}

const refuseArchived = ({ slug }: Plan): Refusal =>
  refuse('plan_archived', `The plan ${slug} is archived. Restore it with import_plan.`);
