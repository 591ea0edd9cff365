import type { Counts, PlanSummary } from '../plans/contract.ts';
import type { Plan } from '../plans/plan.ts';
import type { ViewContext } from './claim-session.ts';
import { spentOnPlan } from './parked.ts';
import type { WorkState } from './work-state.ts';

/** The vertices of a plan's nodes, as authored. */
export const verticesOf = ({ plans }: WorkState, plan: Plan): number[] =>
  [...plan.nodes.values()].map((node) => plans.vertex(plan.slug, node.id));

export function countStatuses(workState: WorkState, vertices: readonly number[], now: string): Counts {
  const counts: Counts = { done: 0, running: 0, failed: 0, claimed: 0, submitted: 0, blocked: 0, ready: 0 };
  for (const vertex of vertices) counts[workState.status(vertex, now)] += 1;
  return counts;
}

export function summarise(view: ViewContext, plan: Plan): PlanSummary {
  const { workState, now } = view;
  const vertices = verticesOf(workState, plan);
  return {
    slug: plan.slug,
    title: plan.title,
    repository: plan.repository,
    archived: plan.archivedAt !== null,
    nodes: plan.nodes.size,
    counts: countStatuses(workState, vertices, now),
    ready: vertices.filter((vertex) => workState.isReady(vertex, now)).length,
    claims: vertices.filter((vertex) => workState.liveLease(vertex, now)).length,
    budget: plan.budget,
    spent: spentOnPlan(view, plan),
    source: plan.source,
    updatedAt: plan.updatedAt,
  };
}

/**
 * The dependents and claims that archiving a plan leaves behind: nodes of other active plans that depend on it, and its
 * live claims.
 */
export function leftOpen(workState: WorkState, plan: Plan, now: string): { dependents: string[]; claims: string[] } {
  const { graph } = workState.plans;
  const vertices = verticesOf(workState, plan);
  const isOther = (vertex: number) => graph.plans[vertex] !== plan && graph.plans[vertex]?.archivedAt === null;
  const dependents = new Set(vertices.flatMap((vertex) => (graph.dependents[vertex] ?? []).filter(isOther)));
  const refs = (found: Iterable<number>) => [...found].map((vertex) => workState.plans.refOf(vertex));
  return { dependents: refs(dependents), claims: refs(vertices.filter((vertex) => workState.liveLease(vertex, now))) };
}
