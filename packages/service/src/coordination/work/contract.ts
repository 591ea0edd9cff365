import { z } from 'zod';
import { spent } from '../../kernel/claim-view.ts';
import { agentTooLong } from '../../kernel/dispatch.ts';
import { nameComponents, ours } from '../../kernel/schema-marks.ts';
import { budget, counts } from '../plans/contract.ts';
import { nodeView } from '../plans/node-view.ts';
import { claimOverlap } from '../trees/contract.ts';

/** In work-loop bodies null means absent. */
export const agent = z
  .string()
  .min(1)
  .max(200, agentTooLong)
  .refine((label) => label.trim() !== '', 'must not be blank')
  .describe('Your name');
export const session = z.string().min(1).max(200).nullish().describe('Your session id');
export const leaseMinutes = z.number().gt(0).max(1440).nullish().describe('Default 30; a renewal keeps it');
export const fence = z.int().nullish().describe('From your claim');
export const note = z.string().max(20_000).nullish();
export const outcome = z
  .enum(['returned', 'submitted', 'failed'])
  .nullish()
  .describe('submitted: your part is finished and its proof is awaited; failed: you could not do it');
/** For programs; agents put it into the note. */
export const error = z
  .string()
  .max(2_000)
  .nullish()
  .describe('Why it failed; shown as lastClaim.error')
  .meta({ 'x-restOnly': true });

export const progress = z.number().min(0).max(1).nullish().describe('0 to 1');
export const notBefore = z.iso
  .datetime({ offset: true })
  .nullish()
  .describe('ISO 8601; claim_next skips it until then')
  .transform((at) => at && new Date(at).toISOString());
const resultBytes = 16 * 1024;
export const result = z
  .unknown()
  .refine((value) => isAtMost(value, resultBytes), 'must be JSON of at most 16 KB')
  .optional()
  .describe('JSON for the nodes that depend on it, at most 16 KB');

/** The length of a text in UTF-8, as it is sent. */
const bytesOf = (text: string): number =>
  Array.from(text, (letter) => letter.codePointAt(0) ?? 0).reduce(
    (sum, code) => sum + (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4),
    0,
  );

const isAtMost = (value: unknown, bytes: number): boolean => {
  const text = JSON.stringify(value) ?? '';
  return text.length <= bytes && (text.length * 3 <= bytes || bytesOf(text) <= bytes);
};

/** The facts that an agent needs to start; the answer to a claim contains them. */
const workView = nodeView.pick({
  plan: true,
  id: true,
  ref: true,
  title: true,
  description: true,
  repository: true,
  labels: true,
  binding: true,
  status: true,
  ready: true,
  claimedBy: true,
  why: true,
  dependsOn: true,
  lastClaim: true,
});

/** The changed facts, for an agent that already knows the node. */
const briefView = nodeView.pick({
  plan: true,
  id: true,
  ref: true,
  status: true,
  ready: true,
  claimedBy: true,
  why: true,
});

/** One line of a list from which an agent chooses. */
const listedView = briefView.extend(
  nodeView.pick({ title: true, repository: true, labels: true, priority: true, leverage: true }).shape,
);

/** The larger one comes first, because a union uses the first match and drops other members. */
const workOrFull = z.union([nodeView, workView]);
export const briefOrFull = z.union([nodeView, briefView]);
const claimedBy = nodeView.shape.claimedBy.optional().describe('Its holder; absent if nobody holds it');
/** A ready node; `claimedBy` is set if somebody holds it. */
const readyNode = nodeView.extend({ claimedBy });
const readyNodeBrief = listedView.extend({ claimedBy });
export const readyEntry = z.union([readyNode, readyNodeBrief]);
export type WorkOrFull = z.output<typeof workOrFull>;
export type BriefOrFull = z.output<typeof briefOrFull>;
export type ListedView = z.output<typeof listedView>;
export type ReadyEntry = z.output<typeof readyEntry>;

/** `full` returns everything known about the node. */
export const fullView = z.enum(['full']).nullish();

const readyWarning = z.object({ message: z.string(), waitingFor: z.array(ours(z.string())) });

/** The results and notes that holders of a dependency left for this node. */
const input = z.object({ ref: ours(z.string()), result: z.unknown(), note: z.string().nullable() });

const passedBy = z.string().optional().describe('Ready nodes that were skipped, and why');

/** Absent if nothing overlaps. */
const overlapMembers = {
  overlaps: z
    .array(claimOverlap)
    .optional()
    .describe('Files that you and others change, at most 5: rebase, write into the note of the other node, or wait'),
  overlapsTotal: z.int().optional(),
};

const claimed = z.object({
  claimed: z.literal(true),
  expiresAt: z.string(),
  inputs: z.array(input),
  node: workOrFull,
  readyWarning: readyWarning.nullable(),
  fence: z.int(),
  ...overlapMembers,
  renewed: z.literal(true).optional().describe('You already held it'),
  why: passedBy,
  trailer: ours(z.string())
    .optional()
    .describe('A line for the message of your commit or the text of your pull request'),
});

export const claimLost = z.object({ claimed: z.literal(false), heldBy: z.string(), heldUntil: z.string() });
const nothing = z.object({
  claimed: z.literal(false),
  reason: z.literal('nothing_ready'),
  why: passedBy,
  notBefore: z.string().optional().describe('When the next skipped node may be handed out'),
});

export const claimAnswer = z.union([claimed, claimLost]);
export const claimNextAnswer = z.union([claimed, claimLost, nothing]);
export const reportAnswer = z.object({
  reported: z.literal(true),
  expiresAt: z.string(),
  node: briefOrFull,
  ...overlapMembers,
});
export const withdrawAnswer = z.object({ withdrawn: z.boolean(), node: briefOrFull });
export const splitAnswer = z.object({ split: z.literal(true), nodes: z.array(ours(z.string())), node: briefOrFull });
export const resetAnswer = z.object({ reset: z.boolean(), node: briefOrFull });
export const releaseAnswer = z.object({ released: z.boolean(), node: briefOrFull });

export type Claimed = z.output<typeof claimed>;
export type ClaimAnswer = z.output<typeof claimAnswer>;
export type ClaimNextAnswer = z.output<typeof claimNextAnswer>;

export const planStatus = z.object({
  slug: ours(z.string()),
  title: z.string(),
  counts,
  budget: budget.nullable(),
  spent,
  nodes: z.array(nodeView),
  ready: z.array(ours(z.string())),
});
export type PlanStatus = z.output<typeof planStatus>;

/** A line for each node; node_status has the rest. */
export const planStatusBrief = planStatus.pick({ slug: true, title: true, counts: true, ready: true }).extend({
  nodes: z.array(
    nodeView
      .pick({ id: true, status: true, why: true })
      .extend({ title: nodeView.shape.title.optional(), claimedBy: nodeView.shape.claimedBy.optional() }),
  ),
});

nameComponents({
  NodeWork: workView,
  NodeBrief: briefView,
  ReadyNode: readyNode,
  ReadyNodeBrief: readyNodeBrief,
  Claimed: claimed,
  ClaimLost: claimLost,
  NothingReady: nothing,
  PlanStatus: planStatus,
});
