import type { SubmissionView } from '../../kernel/claim-view.ts';
import type { Caller } from '../../kernel/command.ts';
import type { Append, Decision } from '../../kernel/event-log.ts';
import { isRefusal, type Refusal } from '../../kernel/outcome.ts';
import { streams } from '../../kernel/streams.ts';
import { type ClaimFacts, type ClaimRequest, claimNode } from '../claims/decide.ts';
import type { ClaimEvent } from '../claims/events.ts';
import type { HolderClues, ObservedHealth } from '../claims/lease.ts';
import { wantedProof } from '../evidence/wanted-proof.ts';
import { trailerOf } from '../plans/pull-request-text.ts';
import { ago } from './ago.ts';
import { limitsReached } from './claim-limits.ts';
import { linkOf, type SessionLookup, tokensUsedBy, touchedBy } from './claim-session.ts';
import { describeTouch, describeUse, touchesMet, usesHeld } from './claimed-uses.ts';
import type { ClaimAnswer, Claimed, ClaimNextAnswer } from './contract.ts';
import { overlapsForHolder } from './overlap-board.ts';
import { viewForWork, waitingFor } from './view-node.ts';
import type { WorkContext } from './work-context.ts';
import type { WorkState } from './work-state.ts';

type Named = { session?: string | null | undefined };

/** The claimant. The session is the one in the call, otherwise the one a hook reported, otherwise the one the client reports. */
export function claimantOf<Input extends Named>(
  input: Input,
  caller: Caller,
  sessions: SessionLookup,
): Input & { session: string | null; clues: HolderClues } {
  const { client, toolCall, token, traceparent } = caller;
  const reported = toolCall === null ? null : sessions.reportedByHook(toolCall);
  const session = input.session ?? reported ?? caller.session;
  const sessionBy = session === reported ? 'hook' : input.session ? 'argument' : 'client';
  const clues: HolderClues = {
    ...(session !== null && { sessionBy }),
    ...(client !== null && { client }),
    ...(toolCall !== null && { toolCall }),
    ...(token !== null && { token }),
    ...(traceparent !== undefined && { traceparent }),
  };
  return { ...input, session, clues };
}

/** The facts that a claim decision is based on. */
export function factsOf(
  {
    workState,
    links,
    sessions,
    submittedHours,
  }: Pick<WorkContext, 'workState' | 'links' | 'sessions' | 'submittedHours'>,
  vertex: number,
  now: string,
): ClaimFacts {
  const holding = workState.claims.of(workState.keyOf(vertex));
  const observedHealth = (): ObservedHealth => {
    if (!holding.lease) return { health: 'unlinked', reason: null };
    const { health, reason } = linkOf({ workState, links }, vertex, holding.lease);
    return { health, reason };
  };
  return {
    now,
    ref: workState.plans.refOf(vertex),
    id: workState.plans.graph.nodes[vertex]?.id ?? '',
    done: workState.progress.isDone(vertex),
    claims: holding,
    provenBy: workState.plans.graph.nodes[vertex]?.binding?.kind ?? null,
    submittedHours,
    // The link also stores sessions that are no longer on disk.
    isSessionGone: (session) => sessions.isGone(session) || observedHealth().health === 'orphaned',
    observedHealth,
    touched: () => (holding.lease ? touchedBy({ workState, links }, vertex, holding.lease) : []),
    tokensUsed: () => (holding.lease ? tokensUsedBy({ workState, links }, vertex, holding.lease) : null),
  };
}

export const claimStreamOf = ({ workState }: WorkContext, vertex: number): string =>
  streams.claim(workState.keyOf(vertex));

/** `why`: the nodes skipped before this one was chosen. `reads`: streams of rival claims that must not have changed. */
type ClaimAsk = ClaimRequest & { view?: 'full' | null | undefined; why?: string; reads?: readonly string[] };

/** Sentences about claims that use or touch the same things as this node. */
function takenBefore(ctx: WorkContext, vertex: number, { session }: ClaimAsk, now: string): string[] {
  const view = { ...ctx, now };
  const held = usesHeld(view, hostOf(ctx, session))(vertex);
  const met = touchesMet(view)(vertex);
  return [...(held ? [describeUse(view, held)] : []), ...(met ? [describeTouch(view, met)] : [])];
}

/** The host of a call, if its session shows it. */
export const hostOf = (
  { sessions }: Pick<WorkContext, 'sessions'>,
  session: string | null | undefined,
): string | null => (session ? sessions.hostOf(session) : null);

/** Claims one node, or answers who holds it. */
export function decideClaim(
  ctx: WorkContext,
  vertex: number,
  ask: ClaimAsk,
  now: string,
): Decision<ClaimAnswer> | Refusal {
  const submission = ctx.workState.submissionOf(vertex, now);
  const isNew = ctx.workState.liveLease(vertex, now) === null;
  const overLimit = isNew ? limitsReached({ ...ctx, now })(vertex) : null;
  const taken = isNew ? takenBefore(ctx, vertex, ask, now) : [];
  const events = claimNode(ask, factsOf(ctx, vertex, now));
  if (isRefusal(events)) return events;
  if (!Array.isArray(events)) {
    return { append: [], remember: false, answer: () => ({ claimed: false, ...events }) };
  }
  return {
    append: [claimAppend(ctx, vertex, events, ask.agent)],
    reads: [planStreamOf(ctx, vertex), streams.evidence(ctx.workState.keyOf(vertex)), ...(ask.reads ?? [])],
    answer: () => ({
      ...claimedAnswer(ctx, vertex, now, ask, { submission, overLimit, taken }),
      ...(isRenewal(events) && { renewed: true as const }),
    }),
  };
}

const isRenewal = (events: readonly ClaimEvent[]): boolean =>
  events.some(({ type, data }) => type === 'node_claimed' && data.renewed);

/** Listed in `reads`, so that a decision fails if another host removed the node meanwhile. */
export const planStreamOf = ({ workState }: WorkContext, vertex: number): string =>
  streams.plan(workState.plans.graph.plans[vertex]?.slug ?? '');

export const claimAppend = (ctx: WorkContext, vertex: number, events: readonly ClaimEvent[], by: string): Append => ({
  stream: claimStreamOf(ctx, vertex),
  topic: planStreamOf(ctx, vertex),
  // An expiry is recorded under the agent whose claim expired.
  events: events.map((event) => ({ ...event, by: event.type === 'claim_expired' ? event.data.agent : by })),
});

/** The state before the claim. */
type Before = { submission: SubmissionView | null; overLimit: string | null; taken: readonly string[] };

export function claimedAnswer(
  { workState, links }: WorkContext,
  vertex: number,
  now: string,
  ask: ClaimAsk,
  { submission, overLimit, taken }: Before = { submission: null, overLimit: null, taken: [] },
): Claimed {
  const node = viewForWork({ workState, links, now }, vertex, ask);
  const lease = workState.liveLease(vertex, now);
  const open = waitingFor(workState, vertex).map((on) => workState.plans.refOf(on));
  const waits =
    open.length > 0 ? `Not ready: it waits for ${open.join(', ')}.` : 'Not ready: a run of its suite is live.';
  const warnings = [
    ...(submission ? [describeEndedSubmission(submission, node, now)] : node.ready ? [] : [waits]),
    ...(overLimit === null ? [] : [`Over the limit: ${overLimit}.`]),
    ...taken.map((sentence) => `${sentence}.`),
  ];
  return {
    claimed: true,
    expiresAt: lease?.expiresAt ?? now,
    inputs: inputsOf(workState, vertex),
    node,
    readyWarning: warnings.length === 0 ? null : { message: warnings.join(' '), waitingFor: open },
    fence: lease?.fence ?? 0,
    ...overlapsForHolder({ workState, links, now }, vertex),
    ...(ask.why !== undefined && { why: ask.why }),
    ...(isFoundByTrailer(node.binding) && { trailer: trailerOf(node.ref) }),
  };
}

/** Only the trailer connects a commit to the node, and it makes a pull request easier to find. */
const isFoundByTrailer = (binding: Claimed['node']['binding']): boolean =>
  binding?.kind === 'commit' || binding?.kind === 'pullRequest';

/** Dependencies without a claim have no result. */
function inputsOf(workState: WorkState, vertex: number): Claimed['inputs'] {
  return (workState.plans.graph.dependsOn[vertex] ?? []).flatMap((on) => {
    const { last, result = null } = workState.claims.of(workState.keyOf(on));
    return last ? [{ ref: workState.plans.refOf(on), result, note: last.note }] : [];
  });
}

function describeEndedSubmission(
  { agent, at }: SubmissionView,
  { binding, ref }: Claimed['node'],
  now: string,
): string {
  const awaited = binding === null ? 'nothing can prove it' : `it awaits ${wantedProof(binding, ref)}`;
  return `${agent} submitted it ${ago(at, now)}; ${awaited}. Your claim ends that submission.`;
}

/** The stored answer of a claim may be returned again only while the same claim (by fence) is live. */
export function isStillHeld({ workState, log }: WorkContext, answer: ClaimNextAnswer): boolean {
  if (!answer.claimed) return false;
  const vertex = workState.find(answer.node.plan, answer.node.id);
  return vertex !== undefined && workState.liveLease(vertex, log.now())?.fence === answer.fence;
}

/** Rebuilds the answer of a claim that was written before a crash lost its answer. */
export function recallClaim(ctx: WorkContext, ask: ClaimAsk, vertex: number | undefined): Claimed | undefined {
  const now = ctx.log.now();
  const lease = vertex === undefined ? null : ctx.workState.liveLease(vertex, now);
  const isTheirs = lease?.agent === ask.agent && (ask.session ?? null) === lease.session;
  return vertex !== undefined && isTheirs ? claimedAnswer(ctx, vertex, now, ask) : undefined;
}
