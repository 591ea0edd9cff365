import { z } from 'zod';
import { health, linkedBy, tokens } from '../../kernel/claim-view.ts';
import type { EventIn } from '../../kernel/event-log.ts';

export const submissionEnd = z.enum(['proven', 'contradicted', 'taken_up', 'withdrawn', 'overdue']);

const node = { id: z.string(), agent: z.string() };
/** Health and reason as last observed, stored with the end of a claim to explain it later. */
const observedHealth = { health, reason: z.string().nullable() };
/** The facts that a call revealed about its caller; absent if there are none. */
const holderClues = {
  sessionBy: linkedBy.exclude(['inferred']).exactOptional(),
  client: z.string().exactOptional(),
  toolCall: z.string().exactOptional(),
  token: z.string().exactOptional(),
  traceparent: z.string().exactOptional().describe('The trace that the call was made in'),
};
/** Globs of the files that its claims changed so far, this one included. Left out if nothing new is known. */
const touched = { touched: z.array(z.string()).exactOptional() };
const lease = { session: z.string().nullable(), expiresAt: z.string(), leaseMinutes: z.number(), ...holderClues };

/** The actions of holders on a claim, and its end by the clock. */
export const claimEvents = {
  version: 1,
  types: {
    node_claimed: z.object({ ...node, ...lease, fence: z.int(), renewed: z.boolean() }),
    claim_reported: z.object({
      ...node,
      ...lease,
      note: z.string().nullable(),
      progress: z.number().exactOptional(),
    }),
    claim_released: z.object({
      ...node,
      ...observedHealth,
      tokens: tokens.exactOptional(),
      outcome: z.enum(['submitted', 'failed']).exactOptional(),
      note: z.string().nullable().exactOptional(),
      error: z.string().exactOptional(),
      notBefore: z.string().exactOptional().describe('Until then claim_next skips it'),
      result: z.unknown().optional().describe('The result that is passed to dependents'),
      ...touched,
    }),
    claim_expired: z.object({
      ...node,
      ...observedHealth,
      expiredAt: z.string(),
      tokens: tokens.exactOptional(),
      ...touched,
    }),
    node_submitted: z.object({
      ...node,
      session: z.string().nullable(),
      note: z.string().nullable(),
      hours: z
        .number()
        .describe('How many hours it waits for its proof, if that is automatic (suite, commit, package, dependency)'),
    }),
    submission_ended: z.object({ ...node, how: submissionEnd }),
    attempts_reset: z.object({ id: z.string() }),
  },
};
export type ClaimEvent = EventIn<typeof claimEvents>;
