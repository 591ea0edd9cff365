import type { Append, Decision } from '../../kernel/event-log.ts';
import { isRefusal, type Refusal } from '../../kernel/outcome.ts';
import { type ClaimAsk, claimNode } from '../claims/decide.ts';
import type { ClaimEvent } from '../claims/lease.ts';
import { evidenceStreamAt } from '../evidence/book.ts';
import { planStream } from '../plans/events.ts';
import { claimStreamOf, factsOf, type WorkContext } from './context.ts';
import type { ClaimAnswer, Claimed } from './contract.ts';
import { viewNode } from './node-view.ts';
import { waitingFor } from './why.ts';

/** Claims one node, or says who was first. */
export function decideClaim(
  ctx: WorkContext,
  vertex: number,
  ask: ClaimAsk,
  now: string,
): Decision<ClaimAnswer> | Refusal {
  const events = claimNode(ask, factsOf(ctx, vertex, now));
  if (isRefusal(events)) return events;
  if (!Array.isArray(events)) {
    return { append: [], remember: false, answer: () => ({ claimed: false, ...events }) };
  }
  return {
    append: [claimAppend(ctx, vertex, events, ask.agent)],
    reads: [planOf(ctx, vertex), evidenceStreamAt(ctx.picture.keyOf(vertex))],
    answer: () => claimedAnswer(ctx, vertex, now),
  };
}

/** A node may be removed by another host; who answers with it must not miss that. */
export const planOf = ({ picture }: WorkContext, vertex: number): string =>
  planStream(picture.plans.graph.plans[vertex]?.slug ?? '');

export const claimAppend = (ctx: WorkContext, vertex: number, events: readonly ClaimEvent[], by: string): Append => ({
  stream: claimStreamOf(ctx, vertex),
  topic: planOf(ctx, vertex),
  // The note of an expiry is told of the agent whose claim ran out.
  events: events.map((event) => ({ ...event, by: event.type === 'claim_expired' ? event.data.agent : by })),
});

export function claimedAnswer({ picture, links }: WorkContext, vertex: number, now: string): Claimed {
  const node = viewNode({ picture, links, now }, vertex);
  const open = waitingFor(picture, vertex).map((on) => picture.plans.refOf(on));
  const message =
    open.length > 0 ? `Not ready: it waits for ${open.join(', ')}.` : 'Not ready: a run of its suite is live.';
  return {
    claimed: true,
    expiresAt: node.claim?.expiresAt ?? now,
    node,
    readyWarning: node.ready ? null : { message, waitingFor: open },
    fence: node.claim?.fence ?? 0,
  };
}

/** A claim's answer is given again only while that very claim stands. */
export function stillStands(
  { picture, log }: WorkContext,
  answer: { claimed: boolean; node?: unknown; fence?: number },
): boolean {
  if (!answer.claimed) return false;
  const { plan, id } = answer.node as { plan: string; id: string };
  const vertex = picture.find(plan, id);
  return vertex !== undefined && picture.liveLease(vertex, log.now())?.fence === answer.fence;
}

/** The claim that an answer lost in a crash must have told of. */
export function recallClaim(ctx: WorkContext, ask: ClaimAsk, vertex: number | undefined): Claimed | undefined {
  const now = ctx.log.now();
  const lease = vertex === undefined ? null : ctx.picture.liveLease(vertex, now);
  const isTheirs = lease?.agent === ask.agent && (ask.session ?? null) === lease.session;
  return vertex !== undefined && isTheirs ? claimedAnswer(ctx, vertex, now) : undefined;
}
