import type { Health, LinkedBy, Tokens } from '../../kernel/claim-view.ts';
import type { NodeKey } from '../../kernel/streams.ts';
import type { Lease } from '../claims/lease.ts';

/** The session behind a claim, as far as one is known. */
export type ClaimLink = {
  health: Health;
  correlation: 'strong' | 'inferred' | null;
  linkedBy: LinkedBy | null;
  reason: string | null;
  sessionId: string | null;
};

/** A live claim, or one that just ran out: its node by its key, and where the node belongs. */
export type LinkedClaim = { key: NodeKey; lease: Lease; repository: string | null };

/** The one place that says what the session behind a claim does; computed again only when one of its inputs changed. */
export type ClaimLinks = {
  of(claim: LinkedClaim): ClaimLink;
  /** What the session used since it claimed, for a strong link. */
  tokensUsed(claim: LinkedClaim): Tokens | null;
};

export type SessionLookup = {
  /** Running or idle: then another session under the same agent label holds nothing of its. */
  isLive(sessionId: string): boolean;
  /** The session that a hook reported together with this tool call. */
  reportedByHook(toolCall: string): string | null;
};

export const noLink = (reason: string, linkedBy: LinkedBy | null = null): ClaimLink => ({
  health: 'unlinked',
  correlation: linkedBy === null ? null : 'strong',
  linkedBy,
  reason,
  sessionId: null,
});

/** Used while no sessions are observed: claims are plain leases. */
export const unobservedLinks: ClaimLinks = {
  of: ({ lease, repository }) =>
    lease.session === null
      ? noLink(repository === null ? 'no_repository' : 'no_session')
      : noLink('session_not_observed', lease.sessionBy),
  tokensUsed: () => null,
};

export const noSessions: SessionLookup = { isLive: () => false, reportedByHook: () => null };
