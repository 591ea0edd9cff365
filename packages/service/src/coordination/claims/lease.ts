import type { Health, LastClaim } from '../../kernel/claim-view.ts';

/** A claim that no event has ended. It may have expired: compare `expiresAt` with the clock. */
export type Lease = {
  readonly agent: string;
  readonly session: string | null;
  readonly note: string | null;
  readonly claimedAt: string;
  readonly expiresAt: string;
  readonly fence: number;
  /** Length of a renewal that names none. */
  readonly leaseMinutes: number;
};

/** Health and reason as last observed, stored with the end of a claim to explain it later. */
export type ObservedHealth = { health: Health; reason: string | null };

type Happened<Type extends string, Data> = { type: Type; data: Data };

/** The stream is `claim:<plan>/<node>`. */
export type ClaimEvent =
  | Happened<
      'node_claimed',
      {
        id: string;
        agent: string;
        session: string | null;
        expiresAt: string;
        fence: number;
        renewed: boolean;
        leaseMinutes: number;
      }
    >
  | Happened<
      'claim_reported',
      {
        id: string;
        agent: string;
        note: string | null;
        expiresAt: string;
        session: string | null;
        leaseMinutes: number;
      }
    >
  | Happened<'claim_released', { id: string; agent: string } & ObservedHealth>
  | Happened<'claim_expired', { id: string; agent: string; expiredAt: string } & ObservedHealth>;

/** Everything about who holds a node. `fence` outlives the claims, and the node's removal. */
export type NodeClaimState = { readonly lease: Lease | null; readonly last: LastClaim | null; readonly fence: number };

export const unclaimed: NodeClaimState = { lease: null, last: null, fence: 0 };

/** Expired by the clock, though no event has ended it yet. */
export const hasExpired = (lease: Lease | null, now: string): lease is Lease =>
  lease !== null && lease.expiresAt <= now;

export const isLive = (lease: Lease | null, now: string): lease is Lease => lease !== null && lease.expiresAt > now;

export function evolve(state: NodeClaimState, event: ClaimEvent, at: string): NodeClaimState {
  const { lease } = state;
  switch (event.type) {
    case 'node_claimed': {
      const { agent, session, expiresAt, fence, leaseMinutes, renewed } = event.data;
      const carriedOver = renewed && lease ? lease : { note: null, claimedAt: at };
      const next = {
        agent,
        session,
        expiresAt,
        fence,
        leaseMinutes,
        note: carriedOver.note,
        claimedAt: carriedOver.claimedAt,
      };
      return { ...state, lease: next, fence };
    }
    case 'claim_reported': {
      const { note, expiresAt, session, leaseMinutes } = event.data;
      return lease ? { ...state, lease: { ...lease, note, expiresAt, session, leaseMinutes } } : state;
    }
    case 'claim_released':
      return endClaim(state, { how: 'released', endedAt: at, ...observedHealthOf(event.data) });
    case 'claim_expired':
      return endClaim(state, { how: 'expired', endedAt: event.data.expiredAt, ...observedHealthOf(event.data) });
  }
}

type ClaimEnd = Pick<LastClaim, 'how' | 'endedAt' | 'health' | 'reason'>;

/** Ends the current claim, live or expired, and keeps it as the last one. */
export function endClaim(state: NodeClaimState, how: ClaimEnd): NodeClaimState {
  const { lease, fence } = state;
  return lease ? { lease: null, last: lastClaimOf(lease, how), fence } : state;
}

export const lastClaimOf = ({ agent, session, note, claimedAt }: Lease, how: ClaimEnd): LastClaim => ({
  agent,
  session,
  note,
  claimedAt,
  ...how,
});

const observedHealthOf = ({ health, reason }: ObservedHealth): ObservedHealth => ({ health, reason });
