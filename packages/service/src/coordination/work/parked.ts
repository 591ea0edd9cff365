import type { Parked, Spent } from '../../kernel/claim-view.ts';
import { type Lease, tokensIn } from '../claims/lease.ts';
import type { Plan } from '../plans/plan.ts';
import { tokensUsedBy, type ViewContext } from './claim-session.ts';

/** The tokens spent on a node, including those of its live claim so far. */
export function spentOn(view: ViewContext, vertex: number): Spent {
  const { workState, now } = view;
  const { tokens = 0, claims = 0 } = workState.claims.of(workState.keyOf(vertex)).spent ?? {};
  const lease = workState.liveLease(vertex, now);
  return { tokens: tokens + (lease ? usedBy(view, vertex, lease) : 0), claims };
}

/** The tokens spent on a whole plan, including those of its live claims so far. */
export function spentOnPlan(view: ViewContext, plan: Plan): Spent {
  const { workState } = view;
  const { tokens, claims } = workState.claims.spentOn(plan.slug);
  const isSmall = plan.nodes.size < workState.claims.open().size;
  const live = isSmall
    ? liveAt(
        view,
        [...plan.nodes.values()].map(({ id }) => workState.plans.vertex(plan.slug, id)),
      )
    : liveClaims(view).filter(({ vertex }) => workState.plans.graph.plans[vertex] === plan);
  return { tokens: live.reduce((sum, { vertex, lease }) => sum + usedBy(view, vertex, lease), tokens), claims };
}

function usedBy(view: ViewContext, vertex: number, lease: Lease): number {
  const tokens = tokensUsedBy(view, vertex, lease);
  return tokens === null ? 0 : tokensIn(tokens);
}

type LiveClaim = { vertex: number; lease: Lease };
type AtTime = Pick<ViewContext, 'workState' | 'now'>;

/** Every claim under a live lease. */
export function liveClaims(view: AtTime): LiveClaim[] {
  const { claims, plans } = view.workState;
  return liveAt(
    view,
    [...claims.open()].flatMap((key) => plans.graph.find(key) ?? []),
  );
}

const liveAt = ({ workState, now }: AtTime, vertices: readonly number[]): LiveClaim[] =>
  vertices.flatMap((vertex) => {
    const lease = workState.liveLease(vertex, now);
    return lease === null ? [] : [{ vertex, lease }];
  });

/** Why `claim_next` leaves a node to a person: too many attempts failed, or its budget or that of its plan is used up. */
export function parkedOf(view: ViewContext, vertex: number): Parked | null {
  const { workState, now } = view;
  if (workState.progress.isDone(vertex)) return null;
  if (workState.attemptsOf(vertex, now).failed >= workState.attemptLimitOf(vertex)) return 'attempts';
  return isOverBudget(view, vertex) ? 'budget' : null;
}

function isOverBudget(view: ViewContext, vertex: number): boolean {
  const { nodes, plans } = view.workState.plans.graph;
  const { [vertex]: node } = nodes;
  const { [vertex]: plan } = plans;
  if (node?.budget && spentOn(view, vertex).tokens >= node.budget.tokens) return true;
  return plan !== undefined && isPlanOverBudget(view, plan);
}

export const isPlanOverBudget = (view: ViewContext, plan: Plan): boolean =>
  plan.budget !== null && spentOnPlan(view, plan).tokens >= plan.budget.tokens;
