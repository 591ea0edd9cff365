import { type Refusal, refuse } from '../../kernel/outcome.ts';
import { type ClaimEvent, type Holding, hasLapsed, isLive, type Lease, type Seen } from './lease.ts';

/** What the world looked like when the command arrived. */
export type Facts = {
  now: string;
  /** `<plan>/<node>`, for sentences, and the node's own id, for events. */
  ref: string;
  id: string;
  done: boolean;
  holding: Holding;
  /** Whether a session is running or idle. */
  lives: (session: string) => boolean;
  /** How the claim that stands was last seen. */
  seen: () => Seen;
};

export type Caller = { agent: string; session?: string | null | undefined };
export type ClaimAsk = Caller & { leaseMinutes?: number | null | undefined };
export type ReportAsk = ClaimAsk & { note?: string | null | undefined; fence?: number | null | undefined };
export type ReleaseAsk = Caller & { fence?: number | null | undefined };

/** Losing a race is an answer of its own, not a refusal. */
export type Held = { heldBy: string; heldUntil: string };

export const defaultLeaseMinutes = 30;

export function claimNode(ask: ClaimAsk, facts: Facts): ClaimEvent[] | Held | Refusal {
  const { now, ref, id, holding } = facts;
  if (facts.done) return refuse('node_done', `${ref} is done already. Ask for other ready work.`);
  const { lease, fence } = holding;
  if (isLive(lease, now)) {
    if (!holds(lease, ask, facts)) return { heldBy: lease.agent, heldUntil: lease.expiresAt };
    const term = renewal(lease, ask, now);
    return [{ type: 'node_claimed', data: { id, agent: ask.agent, fence: lease.fence, renewed: true, ...term } }];
  }
  const leaseMinutes = ask.leaseMinutes ?? defaultLeaseMinutes;
  const session = ask.session ?? null;
  const expiresAt = after(now, leaseMinutes);
  const claimed = { id, agent: ask.agent, session, expiresAt, fence: fence + 1, renewed: false, leaseMinutes };
  return [...noteExpiry(facts), { type: 'node_claimed', data: claimed }];
}

export function reportNode(ask: ReportAsk, facts: Facts): ClaimEvent[] | Refusal {
  const { lease } = facts.holding;
  if (!isLive(lease, facts.now)) return notHolder(facts, null);
  const refused = checkHolder(lease, ask, facts);
  if (refused) return refused;
  const note = ask.note === undefined || ask.note === null ? lease.note : ask.note === '' ? null : ask.note;
  return [
    { type: 'claim_reported', data: { id: facts.id, agent: ask.agent, note, ...renewal(lease, ask, facts.now) } },
  ];
}

/** No events where nothing is held: a release twice, or after the lease's end, is no mistake. */
export function releaseNode(ask: ReleaseAsk, facts: Facts): ClaimEvent[] | Refusal {
  const { lease } = facts.holding;
  if (!isLive(lease, facts.now)) return [];
  const refused = checkHolder(lease, ask, facts);
  if (refused) return refused;
  return [{ type: 'claim_released', data: { id: facts.id, agent: ask.agent, ...facts.seen() } }];
}

/** The note that a lease has run out. It decides nothing: the clock already has. */
export function noteExpiry({ now, id, holding, seen }: Facts): ClaimEvent[] {
  const { lease } = holding;
  if (!hasLapsed(lease, now)) return [];
  return [{ type: 'claim_expired', data: { id, agent: lease.agent, expiredAt: lease.expiresAt, ...seen() } }];
}

/** One agent label may stand for two sessions; while the claim's own is alive another one does not hold it. */
function holds(lease: Lease, { agent, session }: Caller, { lives }: Facts): boolean {
  if (lease.agent !== agent) return false;
  if (!session || lease.session === null || lease.session.toLowerCase() === session.toLowerCase()) return true;
  return !lives(lease.session);
}

function checkHolder(lease: Lease, ask: ReleaseAsk, facts: Facts): Refusal | undefined {
  if (!holds(lease, ask, facts)) return notHolder(facts, lease);
  if (ask.fence === undefined || ask.fence === null || ask.fence === lease.fence) return undefined;
  return refuse(
    'stale_fence',
    `Fence ${ask.fence} is not the claim's own: ${facts.ref} was claimed anew since. Claim it again.`,
    {
      heldBy: lease.agent,
      heldUntil: lease.expiresAt,
    },
  );
}

function notHolder({ ref }: Facts, lease: Lease | null): Refusal {
  const who = lease ? `${lease.agent} holds ${ref} until ${lease.expiresAt}` : `Nobody holds ${ref}`;
  const session = lease?.session ? ` in session ${lease.session}` : '';
  return refuse('not_holder', `${who}${session}. Claim it first.`, {
    heldBy: lease?.agent ?? null,
    heldUntil: lease?.expiresAt ?? null,
  });
}

function renewal(lease: Lease, ask: ClaimAsk, now: string) {
  const leaseMinutes = ask.leaseMinutes ?? lease.leaseMinutes;
  return { session: ask.session ?? lease.session, leaseMinutes, expiresAt: after(now, leaseMinutes) };
}

/** At least one millisecond on: a lease that ended as it began would be told as a claim that nobody holds. */
const after = (now: string, minutes: number): string =>
  new Date(Date.parse(now) + Math.max(1, Math.round(minutes * 60_000))).toISOString();
