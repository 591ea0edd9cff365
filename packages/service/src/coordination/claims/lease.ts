import type { Attempt, Health, LastClaim, LinkedBy, Spent, Tokens } from '../../kernel/claim-view.ts';
import type { ClaimEvent } from './events.ts';
import type { Submission } from './submission.ts';

/** A claim that no event has ended. It may have expired: compare `expiresAt` with the clock. */
export type Lease = {
  readonly agent: string;
  readonly session: string | null;
  /** Who named the session; null if nobody did. */
  readonly sessionBy: NamedBy | null;
  /** The program that claimed, and its own id of that call, where known. */
  readonly client: string | null;
  readonly toolCall: string | null;
  /** The name of the token that it was claimed with; null if it has none. */
  readonly token: string | null;
  /** When the holder last claimed, renewed or reported. */
  readonly heardAt: string;
  readonly note: string | null;
  /** Omitted until it is reported. */
  readonly progress?: number | undefined;
  readonly claimedAt: string;
  readonly expiresAt: string;
  readonly fence: number;
  /** Length of a renewal that names none. */
  readonly leaseMinutes: number;
};

/** Health and reason as last observed, stored with the end of a claim to explain it later. */
export type ObservedHealth = { health: Health; reason: string | null };

export type NamedBy = Exclude<LinkedBy, 'inferred'>;

/** The facts that a call revealed about its caller; absent if there are none. */
export type HolderClues = {
  sessionBy?: NamedBy;
  client?: string;
  toolCall?: string;
  token?: string;
  traceparent?: string;
};

/** Everything about who holds a node. Fences outlive the claims, and the node's removal. */
export type NodeClaimState = {
  readonly lease: Lease | null;
  readonly last: LastClaim | null;
  /** The token that the last claim was made with. */
  readonly lastToken: string | null;
  readonly fence: number;
  /** The fences of earlier claims, the newest last; the oldest are forgotten. */
  readonly pastFences: readonly number[];
  /** Omitted if the node is not submitted. */
  readonly submission?: Submission | null;
  /** Absent if no attempt failed. */
  readonly attempts?: Attempts | null;
  /** The claim that had already expired, without an event, when attempts were reset: it does not count. */
  readonly uncounted?: number | null;
  /** Until then `claim_next` skips it. */
  readonly notBefore?: string | null;
  /** The last result that a holder left for dependents. */
  readonly result?: unknown;
  /** Globs of the files that ended claims changed. */
  readonly touched?: readonly string[];
  /** The usage of ended claims, and the number of claims including the current one. */
  readonly spent?: Spent;
};

const maxPastFences = 32;

export const unclaimed: NodeClaimState = { lease: null, last: null, lastToken: null, fence: 0, pastFences: [] };

/** Any fence older than the remembered ones counts as past. */
export const isPastFence = ({ pastFences }: NodeClaimState, fence: number): boolean =>
  pastFences.includes(fence) || (pastFences.length === maxPastFences && fence < (pastFences[0] ?? 0));

/** Expired by the clock, though no event has ended it yet. */
export const hasExpired = (lease: Lease | null, now: string): lease is Lease =>
  lease !== null && lease.expiresAt <= now;

export const isLive = (lease: Lease | null, now: string): lease is Lease => lease !== null && lease.expiresAt > now;

export function evolve(state: NodeClaimState, event: ClaimEvent, at: string): NodeClaimState {
  const { lease } = state;
  switch (event.type) {
    case 'node_claimed': {
      const { agent, session, expiresAt, fence, leaseMinutes, renewed } = event.data;
      const isRenewed = renewed && lease !== null;
      const { note, claimedAt, progress } = isRenewed ? lease : { note: null, claimedAt: at };
      const clues = cluesOf(event.data, renewed ? lease : null);
      const next = { agent, session, ...clues, heardAt: at, expiresAt, fence, leaseMinutes, note, progress, claimedAt };
      const isNew = fence !== state.fence && state.fence > 0;
      const pastFences = isNew ? [...state.pastFences, state.fence].slice(-maxPastFences) : state.pastFences;
      const spent = isRenewed ? state.spent : afterSpending(state.spent, 0, 1);
      return { ...state, lease: next, fence, pastFences, notBefore: null, ...(spent && { spent }) };
    }
    case 'claim_reported': {
      const { note, expiresAt, session, leaseMinutes, progress = lease?.progress } = event.data;
      if (!lease) return state;
      const clues = cluesOf(event.data, lease);
      return { ...state, lease: { ...lease, ...clues, heardAt: at, note, progress, expiresAt, session, leaseMinutes } };
    }
    case 'claim_released':
      return evolveReleased(state, event.data, at);
    case 'node_submitted': {
      const { agent, session, note, hours } = event.data;
      return { ...state, submission: { agent, session, note, at, awaitedSince: at, hours, settled: null } };
    }
    case 'submission_ended':
      return { ...state, submission: null };
    case 'claim_expired': {
      const { agent, expiredAt } = event.data;
      const note = lease?.note ?? null;
      const attempts = afterExpiry(state, { agent, at: expiredAt, note });
      const { tokens = null } = event.data;
      const how = { how: 'expired', endedAt: expiredAt, tokens, ...observedHealthOf(event.data) } as const;
      const { touched } = event.data;
      return { ...endClaim(state, how), attempts, ...(touched && { touched }) };
    }
    case 'attempts_reset':
      return withoutAttempts(state, at);
  }
}

/** The failed attempts, including a lease that has run out. */
export function afterExpiry(
  { attempts = null, lease, uncounted = null }: NodeClaimState,
  expired: Omit<Attempt, 'how'>,
): Attempts | null {
  const isCounted = lease === null || lease.fence !== uncounted;
  return isCounted ? afterFailure(attempts, { ...expired, how: 'expired' }) : attempts;
}

/** The node is done, its author changed it, or it was reset: earlier failures no longer count. */
export function withoutAttempts(state: NodeClaimState, at: string): NodeClaimState {
  const { lease } = state;
  const uncounted = hasExpired(lease, at) ? lease.fence : null;
  return { ...state, attempts: null, notBefore: null, uncounted };
}

type Released = Extract<ClaimEvent, { type: 'claim_released' }>['data'];

function evolveReleased(state: NodeClaimState, data: Released, at: string): NodeClaimState {
  const { agent, tokens = null, note = state.lease?.note ?? null, error, outcome, notBefore = null } = data;
  const ended = endClaim(state, {
    how: 'released',
    endedAt: at,
    tokens,
    ...observedHealthOf(data),
    note,
    ...(error !== undefined && { error }),
  });
  const failure = { agent, at, note: error ?? note, how: 'failed' } as const;
  return {
    ...ended,
    notBefore,
    ...(outcome === 'failed' && { attempts: afterFailure(state.attempts, failure) }),
    ...(data.result !== undefined && { result: data.result }),
    ...(data.touched && { touched: data.touched }),
  };
}

/** Earlier logs do not record how a session was named; it was always an argument. */
function cluesOf(
  { session, sessionBy, client, toolCall, token }: HolderClues & { session: string | null },
  before: Lease | null,
): Pick<Lease, 'sessionBy' | 'client' | 'toolCall' | 'token'> {
  const named = sessionBy ?? (before?.session === session ? before?.sessionBy : null) ?? 'argument';
  return {
    sessionBy: session === null ? null : named,
    client: client ?? before?.client ?? null,
    toolCall: toolCall ?? before?.toolCall ?? null,
    token: token ?? before?.token ?? null,
  };
}

type ClaimEnd = Pick<LastClaim, 'how' | 'endedAt' | 'health' | 'reason' | 'tokens'> &
  Partial<Pick<LastClaim, 'note' | 'error'>>;

/** Ends the current claim, live or expired, and keeps it as the last one. */
export function endClaim(state: NodeClaimState, how: ClaimEnd): NodeClaimState {
  const { lease } = state;
  if (!lease) return state;
  const spent = how.tokens ? afterSpending(state.spent, tokensIn(how.tokens), 0) : state.spent;
  return { ...state, lease: null, last: lastClaimOf(lease, how), lastToken: lease.token, ...(spent && { spent }) };
}

/** The tokens that count against a budget; cached ones cost almost nothing. */
export const tokensIn = ({ input, output }: Tokens): number => input + output;

const afterSpending = (before: Spent | undefined, tokens: number, claims: number): Spent => ({
  tokens: (before?.tokens ?? 0) + tokens,
  claims: (before?.claims ?? 0) + claims,
});

export const lastClaimOf = ({ agent, session, note, claimedAt }: Lease, how: ClaimEnd): LastClaim => ({
  agent,
  session,
  note,
  claimedAt,
  ...how,
});

const observedHealthOf = ({ health, reason }: ObservedHealth): ObservedHealth => ({ health, reason });

/** Failed attempts since the node was last done, changed by its author or reset. */
export type Attempts = {
  readonly failed: number;
  /** Attempts that their holder released as failed: only these delay the next one. */
  readonly givenBack: number;
  /** The newest first. */
  readonly last: readonly Attempt[];
};

export const noAttempts: Attempts = { failed: 0, givenBack: 0, last: [] };

const mostKept = 5;

export function afterFailure(before: Attempts | null | undefined, attempt: Attempt): Attempts {
  const { failed, givenBack, last } = before ?? noAttempts;
  return {
    failed: failed + 1,
    givenBack: givenBack + (attempt.how === 'failed' ? 1 : 0),
    last: [attempt, ...last].slice(0, mostKept),
  };
}

const firstBackOffMs = 30_000;
const longestBackOffMs = 30 * 60_000;

/** When `claim_next` may again hand out a node that was just released as failed. */
export function backOffUntil(before: Attempts | null | undefined, now: string): string {
  const waitMs = Math.min(firstBackOffMs * 2 ** (before?.givenBack ?? 0), longestBackOffMs);
  return new Date(Date.parse(now) + waitMs).toISOString();
}
