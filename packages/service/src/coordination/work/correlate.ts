import type { SessionFacts } from '../agents/session-facts.ts';
import { healthOf } from './health.ts';
import type { RememberedLink } from './link-projection.ts';
import type { ClaimLink, LinkedClaim } from './ports.ts';

export type ObservedSession = Pick<SessionFacts, 'sessionId' | 'state' | 'reason' | 'live'>;

/** The sessions that claims may be joined with. */
export type SessionIndex = {
  get(sessionId: string): ObservedSession | undefined;
  /** Sessions of a repository, `owner/name` without regard to case, that are live. */
  liveIn(repository: string): readonly ObservedSession[];
};

const unlinked = (reason: string, correlation: ClaimLink['correlation'] = null): ClaimLink => ({
  health: 'unlinked',
  correlation,
  reason,
  sessionId: null,
});

const linked = (session: ObservedSession, correlation: 'strong' | 'inferred'): ClaimLink => ({
  ...healthOf(session),
  correlation,
  sessionId: session.sessionId,
});

/** Finds the session behind a claim, using the link remembered for this claim if there is one. */
export function correlate(claim: LinkedClaim, remembered: RememberedLink | null, sessions: SessionIndex): ClaimLink {
  if (claim.session !== null) {
    const named = sessions.get(claim.session);
    return named ? linked(named, 'strong') : unlinked('session_not_observed', 'strong');
  }
  return remembered?.sessionId
    ? rememberedLink(claim, { ...remembered, sessionId: remembered.sessionId }, sessions)
    : newLink(claim, sessions);
}

function newLink({ repository }: LinkedClaim, sessions: SessionIndex): ClaimLink {
  if (repository === null) return unlinked('no_repository');
  const [only, ...others] = sessions.liveIn(repository);
  if (!only) return unlinked('no_session');
  return others.length > 0 ? unlinked('several_sessions') : linked(only, 'inferred');
}

/** An inferred link never moves to another session; while several live ones share the repository it is not shown. */
function rememberedLink(
  { repository }: LinkedClaim,
  remembered: RememberedLink & { sessionId: string },
  sessions: SessionIndex,
): ClaimLink {
  const session = sessions.get(remembered.sessionId);
  if (!session) {
    const last =
      remembered.health === 'orphaned' ? remembered : { health: 'unknown' as const, reason: 'session_not_observed' };
    return { health: last.health, reason: last.reason, correlation: 'inferred', sessionId: remembered.sessionId };
  }
  const shared = session.state !== 'gone' && repository !== null && sessions.liveIn(repository).length > 1;
  return shared ? unlinked('several_sessions') : linked(session, 'inferred');
}
