import type { Counts, PlanSummary } from '../plans/contract.ts';
import type { Plan } from '../plans/plan.ts';
import type { PlanViews } from '../plans/ports.ts';

export const createPlanViews = (): PlanViews => ({ summary });

function summary(plan: Plan): PlanSummary {
  const ready = [...plan.nodes.values()].filter((node) => node.dependsOn.length === 0).length;
  const counts: Counts = { done: 0, running: 0, failed: 0, claimed: 0, blocked: plan.nodes.size - ready, ready };
  return {
    slug: plan.slug,
    title: plan.title,
    repository: plan.repository,
    archived: plan.archivedAt !== null,
    nodes: plan.nodes.size,
    counts,
    ready,
    claims: 0,
    source: plan.source,
    updatedAt: plan.updatedAt,
  };
}
