import type { SessionFacts } from '../agents/facts.ts';
import { healthOf } from './health.ts';
import type { Kept } from './link-book.ts';
import type { ClaimLink, LinkedClaim } from './ports.ts';

export type Observed = Pick<SessionFacts, 'sessionId' | 'state' | 'reason' | 'live'>;

/** The sessions that claims may be joined with. */
export type Observers = {
  get(sessionId: string): Observed | undefined;
  /** Sessions of a repository, `owner/name` without regard to case, that are live. */
  liveIn(repository: string): readonly Observed[];
};

const unlinked = (reason: string, correlation: ClaimLink['correlation'] = null): ClaimLink => ({
  health: 'unlinked',
  correlation,
  reason,
  sessionId: null,
});

const linked = (session: Observed, correlation: 'strong' | 'inferred'): ClaimLink => ({
  ...healthOf(session),
  correlation,
  sessionId: session.sessionId,
});

/** Joins a claim with the session behind it; `kept` is what is remembered of this very claim. */
export function correlate(claim: LinkedClaim, kept: Kept | null, observers: Observers): ClaimLink {
  if (claim.session !== null) {
    const named = observers.get(claim.session);
    return named ? linked(named, 'strong') : unlinked('session_not_observed', 'strong');
  }
  return kept?.sessionId
    ? keptLink(claim, { ...kept, sessionId: kept.sessionId }, observers)
    : newLink(claim, observers);
}

function newLink({ repository }: LinkedClaim, observers: Observers): ClaimLink {
  if (repository === null) return unlinked('no_repository');
  const [only, ...others] = observers.liveIn(repository);
  if (!only) return unlinked('no_session');
  return others.length > 0 ? unlinked('several_sessions') : linked(only, 'inferred');
}

/** An inferred link never moves to another session; while several live ones share the repository it is not shown. */
function keptLink({ repository }: LinkedClaim, kept: Kept & { sessionId: string }, observers: Observers): ClaimLink {
  const session = observers.get(kept.sessionId);
  if (!session) {
    const last = kept.health === 'orphaned' ? kept : { health: 'unknown' as const, reason: 'session_not_observed' };
    return { health: last.health, reason: last.reason, correlation: 'inferred', sessionId: kept.sessionId };
  }
  const shared = session.state !== 'gone' && repository !== null && observers.liveIn(repository).length > 1;
  return shared ? unlinked('several_sessions') : linked(session, 'inferred');
}
