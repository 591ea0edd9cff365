import { z } from 'zod';
import type { EventIn } from '../../kernel/event-log.ts';
import { evidenceState } from './contract.ts';

const endedRun = z.object({
  runId: z.string(),
  startedAt: z.string().nullable(),
  receivedAt: z.string().nullable().exactOptional(),
});
/** A run that has ended, when it began and when it arrived; evidence of older versions does not know the arrival. */
export type EndedRun = z.output<typeof endedRun>;

/** Observations of a node's proof, and sign-offs by people. */
export const evidenceEvents = {
  version: 1,
  types: {
    evidence_observed: z.object({
      id: z.string(),
      from: evidenceState,
      to: evidenceState,
      settled: evidenceState.describe('The last state observed in an ended run with all verdicts'),
      settledBy: endedRun.nullable().exactOptional(),
      detail: z.string(),
      url: z.string().nullable(),
      runId: z.string().nullable(),
    }),
    evidence_withdrawn: z.object({ id: z.string(), runId: z.string() }),
    node_signed_off: z.object({
      id: z.string(),
      note: z.string().nullable(),
      revoked: z.boolean(),
      refused: z.boolean().exactOptional(),
    }),
  },
};
export type EvidenceEvent = EventIn<typeof evidenceEvents>;
