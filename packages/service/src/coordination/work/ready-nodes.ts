import { isLive, unclaimed } from '../claims/lease.ts';
import type { Plan } from '../plans/plan.ts';
import { type ClaimLimits, limitsReached } from './claim-limits.ts';
import type { ViewContext } from './claim-session.ts';
import { describeUse, touchesMet, usesHeld } from './claimed-uses.ts';
import { isPlanOverBudget, parkedOf } from './parked.ts';
import type { WorkState } from './work-state.ts';

export type ReadyFilter = {
  plan?: string | null | undefined;
  repository?: string | null | undefined;
  label?: string | null | undefined;
};

/** Ready nodes of all active plans that match the filter, best first, parked ones last, without submitted ones. */
export function readyNodes(view: ViewContext, filter: ReadyFilter): readonly number[] {
  const { workState, now } = view;
  const unblocked = unblockedNodes(workState, filter);
  const hasNoSubmissions = workState.claims.submitted().size === 0;
  const ready = hasNoSubmissions ? unblocked : unblocked.filter((vertex) => workState.isReady(vertex, now));
  const isParked = parkedIn(view);
  if (!ready.some(isParked)) return ready;
  return [...ready.filter((vertex) => !isParked(vertex)), ...ready.filter(isParked)];
}

/** A budget is checked once for each plan; a node without failed attempts and without a budget cannot be parked. */
function parkedIn(view: ViewContext): (vertex: number) => boolean {
  const { claims, plans } = view.workState;
  const overBudget = new Set([...plans.all()].filter((plan) => isPlanOverBudget(view, plan)));
  return (vertex) => {
    const plan = plans.graph.plans[vertex];
    if (plan && overBudget.has(plan)) return true;
    const mayBe = claims.failed().has(view.workState.keyOf(vertex)) || plans.graph.nodes[vertex]?.budget;
    return mayBe ? parkedOf(view, vertex) !== null : false;
  };
}

/** No label is empty. */
function unblockedNodes(workState: WorkState, { plan, repository, label }: ReadyFilter): readonly number[] {
  const all = workState.progress.readyOrder();
  const slug = plan?.toLowerCase();
  const owner = repository?.toLowerCase();
  const word = label?.toLowerCase();
  if (slug === undefined && owner === undefined && word === undefined) return all;
  const { graph } = workState.plans;
  const only = slug === undefined ? undefined : workState.plans.find(slug);
  return all.filter((vertex) => {
    const node = graph.nodes[vertex];
    const of = graph.plans[vertex];
    if (slug !== undefined && of !== only) return false;
    if (owner !== undefined && (node?.repository ?? of?.repository)?.toLowerCase() !== owner) return false;
    return word === undefined || (node?.labels.some((each) => each.toLowerCase() === word) ?? false);
  });
}

/** A better free node that was not handed out; `until` is set if it only has to wait. */
export type PassedBy = { vertex: number; why: string; until: string | null };
export type NextNode = { vertex: number | undefined; passedBy: readonly PassedBy[] };

type NextFilter = ReadyFilter & { unbound?: boolean | null | undefined };

/** The best ready node that may be handed out. Nodes without a binding are included only with `unbound`. */
export function nextNode(
  view: ViewContext & ClaimLimits,
  filter: NextFilter,
  isPending: (vertex: number) => boolean = () => false,
  host: string | null = null,
): NextNode {
  const { workState } = view;
  const passedBy: PassedBy[] = [];
  const passBy = passingBy(view, isPending, host);
  const isOffered = (candidate: number) => {
    if (!isFree(view, candidate) || isPending(candidate)) return false;
    if (filter.unbound !== true && workState.plans.graph.nodes[candidate]?.binding === null) return false;
    const passed = passBy(candidate);
    if (passed) passedBy.push({ vertex: candidate, ...passed });
    return passed === null;
  };
  const candidates = unblockedNodes(workState, filter);
  const at = candidates.findIndex(isOffered);
  const best = candidates[at];
  return {
    vertex:
      best === undefined ? undefined : besideOthers(view, best, candidates.slice(at + 1, at + 1 + lookedAt), isOffered),
    passedBy,
  };
}

/** How many nodes after the best one are checked for one that touches no other claim's files. */
const lookedAt = 100;

/** The best node, or the next one of the same priority whose files no live claim touches. */
function besideOthers(
  view: ViewContext,
  best: number,
  after: readonly number[],
  isOffered: (vertex: number) => boolean,
): number {
  const met = touchesMet(view);
  if (met(best) === null) return best;
  const { priorities } = view.workState.progress;
  const isAsUrgent = (vertex: number) => priorities.rank(vertex) === priorities.rank(best);
  return after.find((vertex) => isAsUrgent(vertex) && met(vertex) === null && isOffered(vertex)) ?? best;
}

function isFree({ workState, now }: ViewContext, vertex: number): boolean {
  const { lease, submission } = workState.claims.of(workState.keyOf(vertex));
  return !isLive(lease, now) && (!submission || workState.submissionOf(vertex, now) === null);
}

type PassBy = Omit<PassedBy, 'vertex'>;

/** Why a free node is not handed out now; null if it is. */
function passingBy(
  view: ViewContext & ClaimLimits,
  isPending: (vertex: number) => boolean,
  host: string | null,
): (vertex: number) => PassBy | null {
  const { workState, now } = view;
  const overLimit = limitsReached(view, isPending);
  const heldUse = usesHeld(view, host, isPending);
  const parkedPlans = new Map<Plan, boolean>();
  const isParkedPlan = (plan: Plan): boolean => {
    const known = parkedPlans.get(plan) ?? isPlanOverBudget(view, plan);
    parkedPlans.set(plan, known);
    return known;
  };
  return (vertex) => {
    const { [vertex]: plan } = workState.plans.graph.plans;
    const { [vertex]: node } = workState.plans.graph.nodes;
    if (plan?.budget && isParkedPlan(plan)) return { why: `the budget of ${plan.slug} is used up`, until: null };
    if (workState.claims.of(workState.keyOf(vertex)) !== unclaimed || node?.budget) {
      const parked = parkedOf(view, vertex);
      const { failed } = workState.attemptsOf(vertex, now);
      if (parked === 'attempts') return { why: `parked after ${failed} failed attempts`, until: null };
      if (parked === 'budget') return { why: 'its budget is used up', until: null };
      const until = workState.notBefore(vertex, now);
      if (until !== null) return { why: `not before ${until}`, until };
    }
    const held = heldUse(vertex);
    if (held) return { why: describeUse(view, held), until: null };
    const limit = overLimit(vertex);
    return limit === null ? null : { why: limit, until: null };
  };
}

const namesShown = 3;

/** "Skipped: shop/lexer (not before ...) and 2 more."; undefined if none was skipped. */
export function describePassedBy(workState: WorkState, passedBy: readonly PassedBy[]): string | undefined {
  if (passedBy.length === 0) return undefined;
  const names = passedBy.slice(0, namesShown).map(({ vertex, why }) => `${workState.plans.refOf(vertex)} (${why})`);
  const more = passedBy.length > namesShown ? ` and ${passedBy.length - namesShown} more` : '';
  return `Skipped: ${names.join(', ')}${more}.`;
}
