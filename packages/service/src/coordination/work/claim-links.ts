import type { Tokens } from '../../kernel/claim-view.ts';
import type { SessionFacts } from '../agents/session-facts.ts';
import type { AgentWatch, SessionObservations } from '../agents/watch.ts';
import type { Lease } from '../claims/lease.ts';
import type { RememberedLink } from './events.ts';
import { healthOf } from './health.ts';
import type { LinkProjection } from './link-projection.ts';
import { type ClaimLink, type ClaimLinks, type LinkedClaim, noLink, type SessionLookup } from './ports.ts';

type ObservedSessions = Pick<SessionObservations, 'get' | 'observedAt'>;
type Inputs = {
  remembered: RememberedLink | null;
  session: SessionFacts | undefined;
  past: boolean;
  repository: string | null;
};

/** The sessions behind claims, from what was last observed and what is remembered. */
export function createClaimLinks(
  projection: LinkProjection,
  observed: ObservedSessions,
  now: () => string,
): ClaimLinks {
  const computed = new WeakMap<Lease, { inputs: Inputs; link: ClaimLink }>();

  function inputsOf({ key, lease, repository }: LinkedClaim): Inputs {
    const remembered = projection.of(key, lease.fence);
    const sessionId = lease.session ?? remembered?.sessionId ?? null;
    return {
      remembered,
      session: sessionId === null ? undefined : observed.get(sessionId),
      // An expired claim keeps the health it had last, whatever its session did since.
      past: remembered !== null && (lease.expiresAt <= now() || observed.observedAt() === null),
      repository,
    };
  }

  return {
    of(claim) {
      const inputs = inputsOf(claim);
      const before = computed.get(claim.lease);
      if (before && isSame(before.inputs, inputs)) return before.link;
      const link = linkOfClaim(claim.lease, inputs);
      computed.set(claim.lease, { inputs, link });
      return link;
    },
    tokensUsed(claim) {
      const { remembered, session } = inputsOf(claim);
      const isStrong = claim.lease.session !== null || isNamed(remembered);
      const [before, after] = [remembered?.tokens, session?.tokens];
      return isStrong && before && after ? difference(after, before) : null;
    },
  };
}

const isSame = (a: Inputs, b: Inputs): boolean =>
  a.remembered === b.remembered && a.session === b.session && a.past === b.past && a.repository === b.repository;

const isNamed = (remembered: RememberedLink | null): boolean =>
  remembered?.linkedBy != null && remembered.linkedBy !== 'inferred';

function linkOfClaim({ session: named, sessionBy, toolCall }: Lease, inputs: Inputs): ClaimLink {
  const { remembered, session, past, repository } = inputs;
  const missing = toolCall !== null ? unobserved : repository === null ? 'no_repository' : 'no_session';
  if (remembered && (past || (named === null && !session && remembered.sessionId !== null)))
    return lastLink(remembered, named === null ? remembered.linkedBy : sessionBy, past);
  if (named !== null) return session ? linkTo(session, sessionBy) : noLink('session_not_observed', sessionBy);
  if (session) return linkTo(session, remembered?.linkedBy ?? 'inferred');
  return noLink(remembered?.reason ?? missing);
}

const linkTo = (session: SessionFacts, linkedBy: ClaimLink['linkedBy']): ClaimLink => ({
  ...healthOf(session),
  correlation: linkedBy === 'inferred' ? 'inferred' : 'strong',
  linkedBy,
  sessionId: session.sessionId,
});

/** As it was seen last: a session that is no longer observed is unknown, unless it had ended. */
function lastLink(remembered: RememberedLink, by: ClaimLink['linkedBy'] | undefined, past: boolean): ClaimLink {
  const { sessionId, health, reason } = remembered;
  if (sessionId === null) return noLink(reason ?? 'no_session', by === 'inferred' ? null : (by ?? null));
  const linkedBy = by ?? 'inferred';
  const last = past || health === 'orphaned' ? { health, reason } : { health: 'unknown' as const, reason: unobserved };
  return { ...last, sessionId, linkedBy, correlation: linkedBy === 'inferred' ? 'inferred' : 'strong' };
}

const unobserved = 'session_not_observed';

const difference = (after: Tokens, before: Tokens): Tokens => ({
  input: Math.max(0, after.input - before.input),
  cached: Math.max(0, after.cached - before.cached),
  output: Math.max(0, after.output - before.output),
});

export const sessionLookupOf = (
  observed: Pick<ObservedSessions, 'get'>,
  hooks: Pick<AgentWatch, 'reportedByHook'>,
): SessionLookup => ({
  isLive(sessionId) {
    const state = observed.get(sessionId)?.state;
    return state === 'running' || state === 'idle';
  },
  reportedByHook: hooks.reportedByHook,
});
