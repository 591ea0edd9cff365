import type { SessionFacts } from '../agents/session-facts.ts';
import type { SessionObservations } from '../agents/watch.ts';
import { correlate, type SessionIndex } from './correlate.ts';
import type { LinkProjection } from './link-projection.ts';
import type { ClaimLinks, LiveSessions } from './ports.ts';

type ObservedSessions = Pick<SessionObservations, 'sessions' | 'get' | 'observedAt'>;

/** The sessions behind claims, from what was last seen and what is remembered. */
export function createClaimLinks(
  projection: LinkProjection,
  observed: ObservedSessions,
  now: () => string,
): ClaimLinks {
  const sessions = sessionIndexOf(observed);
  return {
    of(claim) {
      const remembered = projection.of(`${claim.plan}/${claim.node}`, claim.fence);
      // An expired claim keeps the health it had last, whatever its session did since.
      const past = claim.expiresAt <= now() || observed.observedAt() === null;
      if (!past || remembered === null) return correlate(claim, remembered, sessions);
      const { health, reason, sessionId } = remembered;
      return { health, reason, sessionId, correlation: claim.session === null ? 'inferred' : 'strong' };
    },
  };
}

export const liveSessionsOf = (observed: Pick<ObservedSessions, 'get'>): LiveSessions => ({
  isLive(sessionId) {
    const state = observed.get(sessionId)?.state;
    return state === 'running' || state === 'idle';
  },
});

/** Live sessions by repository, grouped once per observation. */
function sessionIndexOf(observed: ObservedSessions): SessionIndex {
  let of: readonly SessionFacts[] | null = null;
  let byRepository = new Map<string, SessionFacts[]>();
  const gather = () => {
    const sessions = observed.sessions();
    if (sessions === of) return byRepository;
    of = sessions;
    byRepository = new Map();
    for (const session of sessions) {
      if (!session.live || session.repository === null) continue;
      const key = session.repository.toLowerCase();
      byRepository.set(key, [...(byRepository.get(key) ?? []), session]);
    }
    return byRepository;
  };
  return {
    get: (sessionId) => observed.get(sessionId),
    liveIn: (repository) => gather().get(repository.toLowerCase()) ?? [],
  };
}
