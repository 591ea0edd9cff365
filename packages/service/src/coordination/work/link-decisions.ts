import type { LinkedBy } from '../../kernel/claim-view.ts';
import type { NodeKey } from '../../kernel/streams.ts';
import type { SessionFacts } from '../agents/session-facts.ts';
import type { Lease } from '../claims/lease.ts';
import type { RememberedLink } from './events.ts';
import { healthOf } from './health.ts';
import { linkCandidates } from './link-candidates.ts';

/** A live claim and what is remembered of its session. */
export type OpenClaim = {
  key: NodeKey;
  lease: Lease;
  repository: string | null;
  remembered: RememberedLink | null;
};

/** The session of a claim, or why it has none for the rest of its life. */
export type LinkDecision = { sessionId: string; linkedBy: LinkedBy } | { sessionId: null; reason: string };

/** How long the records of a program are searched for the call that claimed. */
const searchMs = 60_000;

/** `search`: its client named the call, look for that. `conclude`: nothing names a session, so look at the repository. */
export function openQuestion({ lease, repository, remembered }: OpenClaim, now: string): 'search' | 'conclude' | null {
  if (lease.session !== null || remembered?.sessionId) return null;
  if (lease.toolCall !== null) return Date.parse(now) - Date.parse(lease.heardAt) < searchMs ? 'search' : null;
  return repository !== null && remembered?.judgedFor !== lease.heardAt ? 'conclude' : null;
}

/** Exactly one session links the claim; none or several leave it unlinked until it is renewed. */
export function concludeLink(claim: OpenClaim, sessions: Iterable<SessionFacts>): LinkDecision {
  const [only, ...others] = linkCandidates(claim.lease, claim.repository ?? '', sessions);
  if (only && others.length === 0) return { sessionId: only.sessionId, linkedBy: 'inferred' };
  return { sessionId: null, reason: only ? 'several_sessions' : 'no_session' };
}

/** What is to be remembered of a claim now; null where nothing is known that this host should write. */
export function linkToRemember(
  { lease, remembered }: OpenClaim,
  decision: LinkDecision | undefined,
  session: SessionFacts | undefined,
  host: string,
): RememberedLink | null {
  const judgedFor = decision ? lease.heardAt : remembered?.judgedFor;
  const judged = judgedFor === undefined ? {} : { judgedFor };
  const { fence } = lease;
  if (decision?.sessionId === null) {
    return { fence, host, sessionId: null, health: 'unlinked', reason: decision.reason, linkedBy: null, ...judged };
  }
  // Sessions of another host are followed by that host.
  if (!session || (session.host !== host && !decision)) return null;
  const isSameSession = remembered?.sessionId === session.sessionId;
  return {
    fence,
    host: session.host,
    sessionId: session.sessionId,
    ...healthOf(session),
    linkedBy: lease.session === null ? (decision?.linkedBy ?? remembered?.linkedBy ?? 'inferred') : lease.sessionBy,
    ...judged,
    tokens: (isSameSession ? remembered.tokens : null) ?? session.tokens,
  };
}

export const isSameLink = (a: RememberedLink, b: RememberedLink): boolean =>
  a.sessionId === b.sessionId &&
  a.health === b.health &&
  a.reason === b.reason &&
  a.fence === b.fence &&
  (a.linkedBy ?? 'inferred') === (b.linkedBy ?? 'inferred') &&
  a.judgedFor === b.judgedFor &&
  (a.tokens == null) === (b.tokens == null);
