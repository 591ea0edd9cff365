import { z } from 'zod';
import { attempts, claimView, lastClaim, parked, spent, submissionView } from '../../kernel/claim-view.ts';
import { nameComponents, ours } from '../../kernel/schema-marks.ts';
import { evidenceView } from '../evidence/contract.ts';
import { binding } from './binding.ts';
import { budget, status } from './contract.ts';
import { priority } from './priority.ts';

/** A node in the form that every view shows. */
export const nodeView = z.object({
  plan: ours(z.string()),
  id: ours(z.string()),
  ref: ours(z.string()),
  title: z.string(),
  description: z.string().nullable(),
  repository: ours(z.string()).nullable(),
  labels: z.array(z.string()).readonly(),
  estimateMinutes: z.number().nullable(),
  priority: priority.describe('The highest priority of the node itself and of the open nodes that depend on it'),
  budget: budget.nullable(),
  touches: z.array(z.string()).readonly(),
  uses: z.array(z.string()).readonly(),
  touched: z.array(z.string()).readonly().describe('Files that earlier claims of it changed, as globs'),
  spent,
  binding: binding.nullable(),
  status,
  ready: z.boolean(),
  unbound: z.boolean(),
  leverage: z.int(),
  why: z.string(),
  dependsOn: z.array(
    z.object({ ref: ours(z.string()), status: status.nullable(), done: z.boolean(), missing: z.boolean() }),
  ),
  dependents: z.array(ours(z.string())),
  claim: claimView.nullable(),
  claimedBy: z.string().nullable(),
  lastClaim: lastClaim.nullable(),
  submission: submissionView.nullable(),
  overlaps: z.int().describe('Files that both the tree of its holder and others change; list_overlaps lists them'),
  attempts,
  parked: parked.nullable().describe('Why claim_next skips it until a person acts'),
  notBefore: z.string().nullable().describe('Until then claim_next skips it'),
  evidence: evidenceView.nullable(),
});
export type NodeView = z.output<typeof nodeView>;

nameComponents({ Node: nodeView });
