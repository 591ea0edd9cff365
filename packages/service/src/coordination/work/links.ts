import type { SessionFacts } from '../agents/facts.ts';
import type { Sightings } from '../agents/watch.ts';
import { correlate, type Observers } from './correlate.ts';
import type { LinkBook } from './link-book.ts';
import type { ClaimLinks, LiveSessions } from './ports.ts';

type Seen = Pick<Sightings, 'sessions' | 'get' | 'observedAt'>;

/** The sessions behind claims, from what was last seen and what is remembered. */
export function createClaimLinks(book: LinkBook, seen: Seen, now: () => string): ClaimLinks {
  const observers = observersOf(seen);
  return {
    of(claim) {
      const kept = book.of(`${claim.plan}/${claim.node}`, claim.fence);
      // A claim that has run out reads as it was last seen, whatever its session did since.
      const past = claim.expiresAt <= now() || seen.observedAt() === null;
      if (!past || kept === null) return correlate(claim, kept, observers);
      const { health, reason, sessionId } = kept;
      return { health, reason, sessionId, correlation: claim.session === null ? 'inferred' : 'strong' };
    },
  };
}

export const liveSessionsOf = (seen: Pick<Seen, 'get'>): LiveSessions => ({
  lives(sessionId) {
    const state = seen.get(sessionId.toLowerCase())?.state;
    return state === 'running' || state === 'idle';
  },
});

/** Live sessions by repository, gathered once for each look. */
function observersOf(seen: Seen): Observers {
  let of: readonly SessionFacts[] | null = null;
  let byRepository = new Map<string, SessionFacts[]>();
  const gather = () => {
    const sessions = seen.sessions();
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
    get: (sessionId) => seen.get(sessionId.toLowerCase()),
    liveIn: (repository) => gather().get(repository.toLowerCase()) ?? [],
  };
}
