import { z } from 'zod';
import { nameComponents } from './schema-marks.ts';

/** The health of a claim, derived from its session. */
export const health = z.enum(['held', 'stalled', 'orphaned', 'unknown', 'unlinked']);
export type Health = z.output<typeof health>;

export const correlation = z.enum(['strong', 'inferred']);
export type Correlation = z.output<typeof correlation>;

/** Source of a link: stated in the call, reported by the client or a hook, or inferred from the repository. */
export const linkedBy = z.enum(['argument', 'client', 'hook', 'inferred']);
export type LinkedBy = z.output<typeof linkedBy>;

/** Tokens as counted by the agent's own tool. `input` excludes tokens read from a cache. */
export const tokens = z.object({ input: z.int(), cached: z.int(), output: z.int() });
export type Tokens = z.output<typeof tokens>;

/** A claim that has ended, as the next holder sees it. */
export const lastClaim = z.object({
  agent: z.string(),
  session: z.string().nullable(),
  note: z.string().nullable(),
  claimedAt: z.string(),
  endedAt: z.string(),
  how: z.enum(['released', 'expired', 'removed']),
  error: z.string().optional().describe('Why it failed'),
  health,
  reason: z.string().nullable(),
  /**
   * The tokens that its session used between claim and release; null unless the link was strong and the tool counts
   * them.
   */
  tokens: tokens.nullable(),
});
export type LastClaim = z.output<typeof lastClaim>;

/** A submission that is not proven yet. */
export const submissionView = z.object({
  agent: z.string(),
  session: z.string().nullable(),
  at: z.string(),
  note: z.string().nullable(),
  until: z.string().nullable().describe('When it becomes ready again without a proof; null if it waits without limit'),
});
export type SubmissionView = z.output<typeof submissionView>;

/** A failed attempt: the node was released as failed, or its lease ran out. */
export const attempt = z.object({
  agent: z.string(),
  at: z.string(),
  note: z.string().nullable().describe('Why it failed, or the note it left'),
  how: z.enum(['failed', 'expired']),
});
export type Attempt = z.output<typeof attempt>;

export const attempts = z.object({
  failed: z.int().describe('Since it was last done, changed by its author or reset'),
  limit: z.int(),
  last: z.array(attempt).readonly().describe('The last five, newest first'),
});

/** The tokens that the sessions of claims used, as far as their tools count them, without cached input. */
export const spent = z.object({ tokens: z.int(), claims: z.int() });
export type Spent = z.output<typeof spent>;

/** Why a ready node is left to a person: `claim_next` skips it. */
export const parked = z.enum(['attempts', 'budget']);
export type Parked = z.output<typeof parked>;

export const claimView = z.object({
  agent: z.string(),
  session: z.string().nullable(),
  note: z.string().nullable(),
  progress: z.number().nullable().describe('0 to 1, as its holder last reported'),
  claimedAt: z.string(),
  expiresAt: z.string(),
  fence: z.int(),
  health,
  correlation: correlation.nullable(),
  linkedBy: linkedBy.nullable(),
  reason: z.string().nullable(),
  sessionId: z.string().nullable(),
});
export type ClaimView = z.output<typeof claimView>;

/** A claim shown without its node, together with the previous claim, which a node has as `lastClaim`. */
export const claimWithPrevious = claimView.extend({ previous: lastClaim.nullable() });
export type ClaimWithPrevious = z.output<typeof claimWithPrevious>;

/** The current or last holder of a node, with every label used. Labels and sessions in lower case. */
export type Workers = { labels: ReadonlySet<string>; sessions: readonly string[]; tokens: readonly string[] };

nameComponents({
  LastClaim: lastClaim,
  Submission: submissionView,
  Attempt: attempt,
  Attempts: attempts,
  Claim: claimView,
  ClaimWithPrevious: claimWithPrevious,
});
