import { z } from 'zod';

/** What the session behind a claim says of it. */
export const health = z.enum(['held', 'stalled', 'orphaned', 'unknown', 'unlinked']);
export type Health = z.output<typeof health>;

export const correlation = z.enum(['strong', 'inferred']);
export type Correlation = z.output<typeof correlation>;

/** A claim that has ended: what the next one is handed. */
export const lastClaim = z.object({
  agent: z.string(),
  session: z.string().nullable(),
  note: z.string().nullable(),
  claimedAt: z.string(),
  endedAt: z.string(),
  how: z.enum(['released', 'expired', 'removed']),
  health,
  reason: z.string().nullable(),
});
export type LastClaim = z.output<typeof lastClaim>;

export const claimView = z.object({
  agent: z.string(),
  session: z.string().nullable(),
  note: z.string().nullable(),
  claimedAt: z.string(),
  expiresAt: z.string(),
  fence: z.int(),
  health,
  correlation: correlation.nullable(),
  reason: z.string().nullable(),
  sessionId: z.string().nullable(),
  previous: lastClaim.nullable(),
});
export type ClaimView = z.output<typeof claimView>;
