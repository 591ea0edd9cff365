import { repositoryOfNode, type ViewContext } from './claim-session.ts';
import { liveClaims } from './parked.ts';

/** How many nodes of a repository may be claimed at the same time; null if there is no limit. */
export type ClaimLimits = { maxClaimsOf: (repository: string) => number | null };

type Limit = { of: string; most: number; isIn: (vertex: number) => boolean };

/** The limit that a claim of a node would exceed, as text; null if none. Claims are counted only if there is a limit. */
export function limitsReached(
  view: ViewContext & ClaimLimits,
  isPending: (vertex: number) => boolean = () => false,
): (vertex: number) => string | null {
  const reached = new Map<string, string | null>();
  return (vertex) => {
    for (const limit of limitsOf(view, vertex)) {
      const known = reached.get(limit.of);
      const found = known === undefined ? describeReached(view, limit, isPending) : known;
      reached.set(limit.of, found);
      if (found !== null) return found;
    }
    return null;
  };
}

function limitsOf(view: ViewContext & ClaimLimits, vertex: number): Limit[] {
  const { workState } = view;
  const plan = workState.plans.graph.plans[vertex];
  const repository = repositoryOfNode(workState, vertex)?.toLowerCase() ?? null;
  const ofRepository = repository === null ? null : view.maxClaimsOf(repository);
  const limits: Limit[] = [];
  if (plan && plan.maxClaims !== null) {
    limits.push({ of: plan.slug, most: plan.maxClaims, isIn: (one) => workState.plans.graph.plans[one] === plan });
  }
  if (repository !== null && ofRepository !== null) {
    const isIn = (one: number) => repositoryOfNode(workState, one)?.toLowerCase() === repository;
    limits.push({ of: repository, most: ofRepository, isIn });
  }
  return limits;
}

function describeReached(
  view: ViewContext,
  { of, most, isIn }: Limit,
  isPending: (vertex: number) => boolean,
): string | null {
  const { workState } = view;
  const claimed = liveClaims(view).filter(({ vertex }) => isIn(vertex)).length;
  // Already claimed by another call of the same flush that is not folded yet.
  const pending = workState.progress
    .readyOrder()
    .filter((vertex) => isIn(vertex) && isPending(vertex) && workState.liveLease(vertex, view.now) === null).length;
  const many = claimed + pending;
  return many < most ? null : `${of} has ${many} of at most ${most} ${most === 1 ? 'claim' : 'claims'}`;
}
