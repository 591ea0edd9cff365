import type { SessionFacts } from '../agents/session-facts.ts';
import type { Lease } from '../claims/lease.ts';

export type Candidate = Pick<
  SessionFacts,
  'sessionId' | 'tool' | 'repository' | 'state' | 'startedAt' | 'lastActivityAt' | 'since'
>;

/**
 * The sessions that may have made a claim: in the node's repository, of the tool that called where it is known, started
 * before the claim and not gone when it was made. One that ended since still counts: it may be the one that claimed.
 */
export function linkCandidates<Session extends Candidate>(
  { heardAt, client }: Pick<Lease, 'heardAt' | 'client'>,
  repository: string,
  sessions: Iterable<Session>,
): Session[] {
  const name = repository.toLowerCase();
  const found: Session[] = [];
  for (const session of sessions) {
    if (session.repository?.toLowerCase() !== name) continue;
    if (client !== null && session.tool !== client) continue;
    if (session.startedAt === null || session.startedAt > heardAt) continue;
    if (wasThere(session, heardAt)) found.push(session);
  }
  return found;
}

const wasThere = ({ state, lastActivityAt, since }: Candidate, at: string): boolean =>
  state !== 'gone' || (lastActivityAt ?? '') >= at || (since ?? '') >= at;
