import { z } from 'zod';
import { nameComponents, ours } from '../../kernel/schema-marks.ts';

export const evidenceState = z.enum([
  'notObserved',
  'missing',
  'open',
  'closed',
  'merged',
  'closedUnmerged',
  'running',
  'passed',
  'failed',
  'orphaned',
  'incomplete',
  'notPublished',
  'published',
  'notTaken',
  'taken',
  'noCommit',
  'committed',
  'notSigned',
  'signed',
]);
export type EvidenceState = z.output<typeof evidenceState>;

export const evidenceView = z.object({
  state: evidenceState,
  detail: z.string(),
  url: z.string().nullable(),
  runId: ours(z.string()).nullable(),
  provenance: z.enum(['observed', 'asserted']),
  observedAt: z.string().nullable(),
});
export type EvidenceView = z.output<typeof evidenceView>;

nameComponents({ Evidence: evidenceView });
