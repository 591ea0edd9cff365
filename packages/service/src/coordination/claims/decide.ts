import type { Tokens } from '../../kernel/claim-view.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { ClaimEvent } from './events.ts';
import {
  backOffUntil,
  type HolderClues,
  hasExpired,
  isLive,
  isPastFence,
  type Lease,
  type NodeClaimState,
  type ObservedHealth,
} from './lease.ts';
import { endOf, type SubmissionEnd } from './submission.ts';

/** Everything that a decision about a claim depends on. */
export type ClaimFacts = {
  now: string;
  /** `<plan>/<node>`, for sentences, and the node's own id, for events. */
  ref: string;
  id: string;
  done: boolean;
  claims: NodeClaimState;
  /** The kind of binding of the node; null if nothing can prove it. */
  provenBy: string | null;
  /** How many hours a submission waits for a proof that a machine observes. */
  submittedHours: number;
  /** Whether a session was observed and has ended. */
  isSessionGone: (session: string) => boolean;
  /** Health of the current claim as last observed. */
  observedHealth: () => ObservedHealth;
  /** The tokens that the session behind the claim has used since; null if unknown. */
  tokensUsed: () => Tokens | null;
  /** Globs of the files that its claims changed so far; empty if nothing new is known. */
  touched: () => string[];
};

/** The caller: its name, and what the transport knows about it. */
export type Claimant = {
  agent: string;
  session?: string | null | undefined;
  clues?: HolderClues | undefined;
};
export type HolderRequest = Claimant & { fence?: number | null | undefined };
export type ClaimRequest = HolderRequest & { leaseMinutes?: number | null | undefined };
export type ReportRequest = ClaimRequest & {
  note?: string | null | undefined;
  progress?: number | null | undefined;
};
export type ReleaseRequest = HolderRequest & {
  outcome?: 'returned' | 'submitted' | 'failed' | null | undefined;
  note?: string | null | undefined;
  error?: string | null | undefined;
  /** When it may be handed out again, as ISO 8601. */
  notBefore?: string | null | undefined;
  result?: unknown;
  /** Set if an admin releases it for the holder. */
  forHolder?: boolean;
};

/** Somebody else holds the node: a separate answer, not a refusal. */
export type ClaimConflict = { heldBy: string; heldUntil: string };

export const defaultLeaseMinutes = 30;

export function claimNode(request: ClaimRequest, facts: ClaimFacts): ClaimEvent[] | ClaimConflict | Refusal {
  const { now, ref, id, claims } = facts;
  if (facts.done) return refuse('node_done', `${ref} is done already. Ask for other ready work.`);
  const { lease, fence } = claims;
  if (isLive(lease, now)) {
    if (!isHolder(lease, request, facts)) return { heldBy: lease.agent, heldUntil: lease.expiresAt };
    const term = renewal(lease, request, now);
    return [{ type: 'node_claimed', data: { id, agent: request.agent, fence: lease.fence, renewed: true, ...term } }];
  }
  const leaseMinutes = request.leaseMinutes ?? defaultLeaseMinutes;
  const session = request.session ?? null;
  const expiresAt = leaseEnd(now, leaseMinutes);
  const claimed = {
    id,
    agent: request.agent,
    session,
    expiresAt,
    fence: nextFence(fence, now),
    renewed: false,
    leaseMinutes,
    ...request.clues,
  };
  return [...expiryEvents(facts), ...submissionEvents(facts, 'taken_up'), { type: 'node_claimed', data: claimed }];
}

/** Undefined for the holder of the node. */
export function refuseOthers(request: HolderRequest, facts: ClaimFacts): Refusal | undefined {
  const { lease } = facts.claims;
  return isLive(lease, facts.now) ? checkHolder(lease, request, facts) : refuseNotHolder(facts, null);
}

/** The record of a claim that ends without a release. */
export function endedClaim(note: string | null | undefined, { claims, observedHealth, tokensUsed }: ClaimFacts) {
  const tokens = tokensUsed();
  const left = claims.lease ? noteAfter(note, claims.lease) : null;
  return { ...observedHealth(), ...(tokens && { tokens }), ...(left !== claims.lease?.note && { note: left }) };
}

export function reportNode(request: ReportRequest, facts: ClaimFacts): ClaimEvent[] | Refusal {
  const { lease } = facts.claims;
  if (!isLive(lease, facts.now)) return refuseNotHolder(facts, null);
  const refused = checkHolder(lease, request, facts);
  if (refused) return refused;
  const { agent, progress } = request;
  const note = noteAfter(request.note, lease);
  const reported = { ...renewal(lease, request, facts.now), ...(typeof progress === 'number' && { progress }) };
  return [{ type: 'claim_reported', data: { id: facts.id, agent, note, ...reported } }];
}

/** No events if nothing is held: releasing twice, or after the lease ended, is allowed. */
export function releaseNode(request: ReleaseRequest, facts: ClaimFacts): ClaimEvent[] | Refusal {
  const { lease } = facts.claims;
  if (!isLive(lease, facts.now)) return [];
  // An admin ends the claim of the named holder, from any session.
  const isForHolder = request.forHolder === true && lease.agent === request.agent;
  const refused = isForHolder ? undefined : checkHolder(lease, request, facts);
  if (refused) return refused;
  const tokens = facts.tokensUsed();
  const { id, observedHealth, done, submittedHours: hours } = facts;
  const touched = facts.touched();
  const { agent, error, result } = request;
  const outcome = request.outcome === 'returned' ? null : request.outcome;
  const note = noteAfter(request.note, lease);
  const notBefore = request.notBefore ?? (outcome === 'failed' ? backOffUntil(facts.claims.attempts, facts.now) : null);
  const released = {
    id,
    agent,
    ...observedHealth(),
    ...(tokens && { tokens }),
    ...(outcome && { outcome }),
    ...(note !== lease.note && { note }),
    ...(error && { error }),
    ...(notBefore !== null && { notBefore }),
    ...(result !== undefined && { result }),
    ...(touched.length > 0 && { touched }),
  };
  const events: ClaimEvent[] = [{ type: 'claim_released', data: released }];
  // A node that was proven during the claim needs no submission.
  if (outcome !== 'submitted' || done) return events;
  const session = request.session ?? lease.session;
  return [...events, { type: 'node_submitted', data: { id, agent, session, note, hours } }];
}

/** No events if there is nothing to reset. An expired lease counts as an attempt. */
export function resetAttempts(facts: ClaimFacts): ClaimEvent[] {
  const { id, now, claims } = facts;
  const expired = expiryEvents(facts);
  const isReset = expired.length === 0 && !claims.attempts && (claims.notBefore ?? '') <= now;
  return isReset ? [] : [...expired, { type: 'attempts_reset', data: { id } }];
}

/** No events without a submission. */
export const withdrawSubmission = (facts: ClaimFacts): ClaimEvent[] => submissionEvents(facts, 'withdrawn');

/** Records the end of a submission that evidence or the clock has ended. */
export function settledEvents(facts: ClaimFacts): ClaimEvent[] {
  const { now, claims, provenBy } = facts;
  const how = claims.submission && endOf(claims.submission, provenBy, now);
  return how ? submissionEvents(facts, how) : [];
}

/** Ends a submission: as evidence or the clock has ended it, otherwise with `how`. */
function submissionEvents({ now, id, claims, provenBy }: ClaimFacts, how: SubmissionEnd): ClaimEvent[] {
  const { submission } = claims;
  if (!submission) return [];
  const data = { id, agent: submission.agent, how: endOf(submission, provenBy, now) ?? how };
  return [{ type: 'submission_ended', data }];
}

/** A note that is absent stays, and an empty one clears it. */
const noteAfter = (note: string | null | undefined, lease: Lease): string | null =>
  note === undefined || note === null ? lease.note : note === '' ? null : note;

/** Records that a lease has expired. The lease ended by the clock, not by this event. */
export function expiryEvents({ now, id, claims, observedHealth, tokensUsed, ...facts }: ClaimFacts): ClaimEvent[] {
  const { lease } = claims;
  if (!hasExpired(lease, now)) return [];
  const tokens = tokensUsed();
  const touched = facts.touched();
  const expired = {
    id,
    agent: lease.agent,
    expiredAt: lease.expiresAt,
    ...observedHealth(),
    ...(tokens && { tokens }),
    ...(touched.length > 0 && { touched }),
  };
  return [{ type: 'claim_expired', data: expired }];
}

/**
 * Several sessions may use one agent label. Another session than the one that claimed is the holder only with the fence, or
 * once the claiming session was observed to end: a session that was never observed may still be working.
 */
function isHolder(lease: Lease, { agent, session, fence }: HolderRequest, facts: ClaimFacts): boolean {
  if (lease.agent !== agent) return false;
  if (!session || lease.session === null || lease.session.toLowerCase() === session.toLowerCase()) return true;
  return fence === lease.fence || facts.isSessionGone(lease.session);
}

function checkHolder(lease: Lease, request: HolderRequest, facts: ClaimFacts): Refusal | undefined {
  if (!isHolder(lease, request, facts)) return refuseNotHolder(facts, lease);
  if (request.fence === undefined || request.fence === null || request.fence === lease.fence) return undefined;
  const held = { heldBy: lease.agent, heldUntil: lease.expiresAt };
  return refuse('stale_fence', describeFence(request.fence, facts), held);
}

function describeFence(fence: number, { ref, claims }: ClaimFacts): string {
  return isPastFence(claims, fence)
    ? `Fence ${fence} belongs to an earlier claim: ${ref} has been claimed again since then. Claim it again to work on it.`
    : `No claim of ${ref} had fence ${fence}. Pass the fence that claiming it returned.`;
}

function refuseNotHolder({ ref }: ClaimFacts, lease: Lease | null): Refusal {
  const session = lease?.session ? ` in session ${lease.session}` : '';
  const detail = lease
    ? `${lease.agent} holds ${ref}${session} until ${lease.expiresAt}. Choose another node, or claim it first once it is free.`
    : `Nobody holds ${ref}. Claim it first.`;
  return refuse('not_holder', detail, {
    heldBy: lease?.agent ?? null,
    heldUntil: lease?.expiresAt ?? null,
  });
}

function renewal(lease: Lease, request: ClaimRequest, now: string) {
  const leaseMinutes = request.leaseMinutes ?? lease.leaseMinutes;
  const session = request.session ?? lease.session;
  const { traceparent: _, ...clues } = request.clues ?? {};
  return { session, leaseMinutes, expiresAt: leaseEnd(now, leaseMinutes), ...clues };
}

/** Also grows with the store's clock, because a restored log may lack fences that were issued later. */
const nextFence = (last: number, now: string): number => Math.max(last + 1, Date.parse(now));

/** At least one millisecond: a lease that ends when it begins would be reported as a claim that nobody holds. */
const leaseEnd = (now: string, minutes: number): string =>
  new Date(Date.parse(now) + Math.max(1, Math.round(minutes * 60_000))).toISOString();
