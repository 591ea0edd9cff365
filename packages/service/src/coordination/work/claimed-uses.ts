import type { Lease } from '../claims/lease.ts';
import { meetingGlob } from '../plans/touched-paths.ts';
import { hostOfClaim, repositoryOfNode, type ViewContext } from './claim-session.ts';
import { liveClaims } from './parked.ts';
import type { WorkState } from './work-state.ts';

/** A live claim, or one that another call of the same flush decided and that is not folded yet; the latter has no lease. */
type Holder = { vertex: number; lease: Lease | null };

/** A name in a node's `uses`, and the claim that uses it. */
type HeldUse = Holder & { name: string };
/** A glob in `touches`, and the claim that touches the same files. */
type MetTouch = Holder & { glob: string };

const keyOfUse = (name: string): string => name.toLowerCase();

/** Every host has its own ports and browsers; all other resources exist once. */
const isOfHost = (name: string): boolean => /^(?:port:|browser$)/.test(keyOfUse(name));

const usesOf = ({ plans: { graph } }: WorkState, vertex: number): readonly string[] => graph.nodes[vertex]?.uses ?? [];
const touchesOf = ({ plans: { graph } }: WorkState, vertex: number): readonly string[] =>
  graph.nodes[vertex]?.touches ?? [];

type IsPending = (vertex: number) => boolean;

/**
 * The first resource of a node that another claim uses. `host` is where it would be used: a port of another host is
 * free; if either host is unknown, both count as the same. Claims are read once, and only for nodes that use something.
 */
export function usesHeld(
  view: ViewContext,
  host: string | null,
  isPending: IsPending = () => false,
): (vertex: number) => HeldUse | null {
  let known: Map<string, Holder[]> | undefined;
  const isElsewhere = ({ vertex, lease }: Holder): boolean => {
    const theirs = lease && host !== null ? hostOfClaim(view, vertex, lease) : null;
    return theirs !== null && theirs !== host;
  };
  return (vertex) => {
    const uses = usesOf(view.workState, vertex);
    if (uses.length === 0) return null;
    known ??= holdersByUse(view, isPending);
    for (const name of uses) {
      const holders = known.get(keyOfUse(name)) ?? [];
      const holder = holders.find((one) => one.vertex !== vertex && !(isOfHost(name) && isElsewhere(one)));
      if (holder) return { name, ...holder };
    }
    return null;
  };
}

function holdersByUse(view: ViewContext, isPending: IsPending): Map<string, Holder[]> {
  const holders = new Map<string, Holder[]>();
  for (const holder of claimsAndPending(view, isPending))
    for (const name of usesOf(view.workState, holder.vertex))
      holders.set(keyOfUse(name), [...(holders.get(keyOfUse(name)) ?? []), holder]);
  return holders;
}

function claimsAndPending(view: ViewContext, isPending: IsPending): Holder[] {
  const { workState, now } = view;
  const pending = workState.progress
    .readyOrder()
    .filter((vertex) => usesOf(workState, vertex).length > 0 && isPending(vertex))
    .filter((vertex) => workState.liveLease(vertex, now) === null);
  return [...liveClaims(view), ...pending.map((vertex) => ({ vertex, lease: null }))];
}

/** Other ready nodes that need one of the same `uses`: if one of them is claimed meanwhile, the choice is repeated. */
export function rivalsFor({ workState }: Pick<ViewContext, 'workState'>, vertex: number): number[] {
  const wanted = new Set(usesOf(workState, vertex).map(keyOfUse));
  if (wanted.size === 0) return [];
  return workState.progress
    .readyOrder()
    .filter((other) => other !== vertex && usesOf(workState, other).some((name) => wanted.has(keyOfUse(name))));
}

/** The first glob of a node that meets one of a live claim in the same repository. */
export function touchesMet(view: ViewContext): (vertex: number) => MetTouch | null {
  const { workState } = view;
  let known: Map<string, Holder[]> | undefined;
  return (vertex) => {
    const touches = touchesOf(workState, vertex);
    if (touches.length === 0) return null;
    known ??= touchersByRepository(view);
    for (const holder of known.get(placeOf(workState, vertex)) ?? []) {
      const glob = holder.vertex === vertex ? undefined : meetingGlob(touches, touchesOf(workState, holder.vertex));
      if (glob !== undefined) return { glob, ...holder };
    }
    return null;
  };
}

function touchersByRepository(view: ViewContext): Map<string, Holder[]> {
  const holders = new Map<string, Holder[]>();
  for (const holder of liveClaims(view)) {
    if (touchesOf(view.workState, holder.vertex).length === 0) continue;
    const place = placeOf(view.workState, holder.vertex);
    holders.set(place, [...(holders.get(place) ?? []), holder]);
  }
  return holders;
}

/** Globs are relative to a repository; nodes without one count as one repository if they are in one plan. */
const placeOf = (workState: WorkState, vertex: number): string =>
  repositoryOfNode(workState, vertex)?.toLowerCase() ?? ` ${workState.plans.graph.plans[vertex]?.slug ?? ''}`;

/** "port:3000 is used by shop/cart (bob) until 14:20 UTC" */
export const describeUse = (view: ViewContext, { name, ...holder }: HeldUse): string =>
  `${name} is used by ${describeHolder(view, holder)}`;

/** "src/price/** is touched by shop/cart (bob) until 14:20 UTC" */
export const describeTouch = (view: ViewContext, { glob, ...holder }: MetTouch): string =>
  `${glob} is touched by ${describeHolder(view, holder)}`;

function describeHolder({ workState, now }: ViewContext, { vertex, lease }: Holder): string {
  const ref = workState.plans.refOf(vertex);
  return lease ? `${ref} (${lease.agent}) until ${timeOf(lease.expiresAt, now)}` : ref;
}

/** With the date if it is not the day of `now`. */
function timeOf(at: string, now: string): string {
  const [day = '', time = ''] = at.split('T');
  return `${now.startsWith(day) ? '' : `${day} `}${time.slice(0, 5)} UTC`;
}
