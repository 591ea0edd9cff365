import { hasExpired, unclaimed } from '../claims/lease.ts';
import type { WorkState } from './work-state.ts';

export type ReadyFilter = {
  plan?: string | null | undefined;
  repository?: string | null | undefined;
  label?: string | null | undefined;
};

/** Ready nodes of all active plans, best first, parked ones last, narrowed to what was asked. What is handed in is not among them. */
export function readyNodes(workState: WorkState, filter: ReadyFilter, now: string): readonly number[] {
  const unblocked = unblockedNodes(workState, filter);
  const isNoneHandedIn = workState.claims.submitted().size === 0;
  return parkedLast(
    workState,
    isNoneHandedIn ? unblocked : unblocked.filter((vertex) => workState.isReady(vertex, now)),
    now,
  );
}

function parkedLast(workState: WorkState, nodes: readonly number[], now: string): readonly number[] {
  const failed = [...workState.claims.failed()].flatMap((key) => workState.plans.graph.find(key) ?? []);
  const parked = new Set(failed.filter((vertex) => workState.parkedOf(vertex, now)));
  if (parked.size === 0) return nodes;
  const isParked = (vertex: number) => parked.has(vertex);
  return [...nodes.filter((vertex) => !isParked(vertex)), ...nodes.filter(isParked)];
}

/** Nothing has an empty label. */
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

/** A free node that was better and not handed out; `until` where time alone ends that. */
export type PassedBy = { vertex: number; why: string; until: string | null };
export type NextNode = { vertex: number | undefined; passedBy: readonly PassedBy[] };

/** The best ready node that may be handed out. Nodes without a binding are included only with `unbound`. */
export function nextNode(
  workState: WorkState,
  filter: ReadyFilter & { unbound?: boolean | null | undefined; except?: readonly string[] | null | undefined },
  now: string,
  isPending: (vertex: number) => boolean = () => false,
): NextNode {
  const except = new Set(filter.except?.map((ref) => ref.toLowerCase()));
  const passedBy: PassedBy[] = [];
  const vertex = unblockedNodes(workState, filter).find((candidate) => {
    if (!isFree(workState, candidate, now) || isPending(candidate)) return false;
    if (except.size > 0 && except.has(workState.plans.refOf(candidate).toLowerCase())) return false;
    if (filter.unbound !== true && workState.plans.graph.nodes[candidate]?.binding === null) return false;
    const passed = passBy(workState, candidate, now);
    if (passed) passedBy.push({ vertex: candidate, ...passed });
    return passed === null;
  });
  return { vertex, passedBy };
}

function isFree(workState: WorkState, vertex: number, now: string): boolean {
  const state = workState.claims.of(workState.keyOf(vertex));
  if (state === unclaimed) return true;
  const isHeld = state.lease !== null && !hasExpired(state.lease, now);
  return !isHeld && workState.submissionOf(vertex, now) === null;
}

function passBy(workState: WorkState, vertex: number, now: string): Omit<PassedBy, 'vertex'> | null {
  if (workState.claims.of(workState.keyOf(vertex)) === unclaimed) return null;
  const { failed } = workState.attemptsOf(vertex, now);
  if (workState.parkedOf(vertex, now)) return { why: `parked after ${failed} failed attempts`, until: null };
  const until = workState.notBefore(vertex, now);
  return until === null ? null : { why: `not before ${until}`, until };
}

const namesShown = 3;

/** "Passed by: shop/lexer (not before ...) and 2 more."; undefined where nothing was. */
export function describePassedBy(workState: WorkState, passedBy: readonly PassedBy[]): string | undefined {
  if (passedBy.length === 0) return undefined;
  const names = passedBy.slice(0, namesShown).map(({ vertex, why }) => `${workState.plans.refOf(vertex)} (${why})`);
  const more = passedBy.length > namesShown ? ` and ${passedBy.length - namesShown} more` : '';
  return `Passed by: ${names.join(', ')}${more}.`;
}
