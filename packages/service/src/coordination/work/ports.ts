import type { Health } from '../../kernel/claim-view.ts';

/** The session behind a claim, as far as one is known. */
export type ClaimLink = {
  health: Health;
  correlation: 'strong' | 'inferred' | null;
  reason: string | null;
  sessionId: string | null;
};

/** A live claim, or one that just ran out, and where its node belongs. */
export type LinkedClaim = {
  plan: string;
  node: string;
  agent: string;
  session: string | null;
  fence: number;
  expiresAt: string;
  /** The node's effective repository. */
  repository: string | null;
};

export type ClaimLinks = { of(claim: LinkedClaim): ClaimLink };

/** Whether a session is known to be running or idle: then another session under the same agent label holds nothing of its. */
export type LiveSessions = { isLive(sessionId: string): boolean };

/** Used while no sessions are observed: claims are plain leases. */
export const unobservedLinks: ClaimLinks = {
  of: ({ session, repository }) => ({
    health: 'unlinked',
    correlation: session === null ? null : 'strong',
    reason: session !== null ? 'session_not_observed' : repository === null ? 'no_repository' : 'no_session',
    sessionId: null,
  }),
};

export const noSessions: LiveSessions = { isLive: () => false };
