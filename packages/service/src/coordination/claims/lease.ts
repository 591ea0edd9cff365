import type { Health, LastClaim } from './contract.ts';

/** A claim that time has not been asked about: whether it is live is for the reader's clock to say. */
export type Lease = {
  readonly agent: string;
  readonly session: string | null;
  readonly note: string | null;
  readonly claimedAt: string;
  readonly expiresAt: string;
  readonly fence: number;
  /** What a renewal without a length of its own runs for. */
  readonly leaseMinutes: number;
};

/** Health and reason as last seen, kept with the end so that it stays explainable. */
export type Seen = { health: Health; reason: string | null };

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
  | Happened<'claim_released', { id: string; agent: string } & Seen>
  | Happened<'claim_expired', { id: string; agent: string; expiredAt: string } & Seen>;

/** Everything about who holds a node. `fence` outlives the claims, and the node's removal. */
export type Holding = { readonly lease: Lease | null; readonly last: LastClaim | null; readonly fence: number };

export const unheld: Holding = { lease: null, last: null, fence: 0 };

/** Run out, though no event has ended it yet. */
export const hasLapsed = (lease: Lease | null, now: string): lease is Lease => lease !== null && lease.expiresAt <= now;

export const isLive = (lease: Lease | null, now: string): lease is Lease => lease !== null && lease.expiresAt > now;

export function evolve(holding: Holding, event: ClaimEvent, at: string): Holding {
  const { lease } = holding;
  switch (event.type) {
    case 'node_claimed': {
      const { agent, session, expiresAt, fence, leaseMinutes, renewed } = event.data;
      const kept = renewed && lease ? lease : { note: null, claimedAt: at };
      const next = { agent, session, expiresAt, fence, leaseMinutes, note: kept.note, claimedAt: kept.claimedAt };
      return { ...holding, lease: next, fence };
    }
    case 'claim_reported': {
      const { note, expiresAt, session, leaseMinutes } = event.data;
      return lease ? { ...holding, lease: { ...lease, note, expiresAt, session, leaseMinutes } } : holding;
    }
    case 'claim_released':
      return end(holding, { how: 'released', endedAt: at, ...seenOf(event.data) });
    case 'claim_expired':
      return end(holding, { how: 'expired', endedAt: event.data.expiredAt, ...seenOf(event.data) });
  }
}

type End = Pick<LastClaim, 'how' | 'endedAt' | 'health' | 'reason'>;

/** Ends whatever stands, live or lapsed, and remembers it as the last. */
export function end(holding: Holding, how: End): Holding {
  const { lease, fence } = holding;
  return lease ? { lease: null, last: lapsed(lease, how), fence } : holding;
}

export const lapsed = ({ agent, session, note, claimedAt }: Lease, how: End): LastClaim => ({
  agent,
  session,
  note,
  claimedAt,
  ...how,
});

const seenOf = ({ health, reason }: Seen): Seen => ({ health, reason });
