import { z } from 'zod';
import { spent } from '../../kernel/claim-view.ts';
import { nameComponents, ours } from '../../kernel/schema-marks.ts';
import { binding } from './binding.ts';
import { keyOf } from './key.ts';
import { nodeId, nodeRef, planSlug, repositoryName } from './names.ts';
import { priority } from './priority.ts';
import { globFault } from './touched-paths.ts';

const title = z.string().min(1).max(500);
const description = z.string().max(50_000);

const repository = repositoryName.meta({ 'x-plain': true });
const maxAttempts = z
  .int()
  .min(1)
  .max(100)
  .describe('After this many failed attempts claim_next skips it until it is reset')
  .meta({ 'x-plain': true });

const maxClaims = z
  .int()
  .min(1)
  .max(10_000)
  .describe('How many of its nodes claim_next hands out at once')
  .meta({ 'x-plain': true });
export const budget = z.strictObject({
  tokens: z.int().min(1).describe('Input and output of the sessions that work on it').meta({ 'x-plain': true }),
});
export type Budget = z.output<typeof budget>;

const glob = z
  .string()
  .min(1)
  .max(200)
  .superRefine((text, ctx) => {
    const message = globFault(text);
    if (message !== null) ctx.addIssue({ code: 'custom', message });
  });
const touches = z
  .array(glob)
  .max(50)
  .describe('Files it will change: globs with *, ** and ?, relative to the repository')
  .meta({ 'x-plain': true });
const uses = z
  .array(z.string().trim().min(1).max(100))
  .max(20)
  .describe('Names of resources that only one claim can use at a time: port:3000, db:dev, browser')
  .meta({ 'x-plain': true });

/** The members of a node that an author may write; null means no value. */
export const nodeMembers = {
  title: title.nullish(),
  description: description.nullish(),
  repository: repository.nullish(),
  labels: z.array(z.string().min(1).max(100)).nullish(),
  estimateMinutes: z.number().positive().max(1_000_000).nullish(),
  maxAttempts: maxAttempts.nullish(),
  priority: priority.nullish(),
  budget: budget.nullish(),
  touches: touches.nullish(),
  uses: uses.nullish(),
  dependsOn: z.array(nodeRef.meta({ 'x-plain': true })).nullish(),
  binding: binding.nullish(),
};

export const nodeDocument = z.strictObject({ id: nodeId, ...nodeMembers });
export type NodeDocument = z.output<typeof nodeDocument>;

const planMembers = {
  title: title.nullish(),
  description: description.nullish(),
  repository: repository.nullish(),
  maxAttempts: maxAttempts.nullish(),
  priority: priority.nullish(),
  maxClaims: maxClaims.nullish(),
  budget: budget.nullish(),
  nodes: z.array(nodeDocument).nullish(),
};

/** The plan document, in YAML or JSON. */
export const planDocument = z.strictObject({ plan: planSlug, ...planMembers }).superRefine(refuseDuplicateIds);
/** A plan document for a route whose path already names the plan. */
export const importDocument = z
  .strictObject({ plan: planSlug.nullish(), ...planMembers })
  .superRefine(refuseDuplicateIds);
export type PlanDocument = z.output<typeof importDocument>;

/** More than anyone would read. */
const duplicatesAtMost = 1000;

function refuseDuplicateIds(
  { nodes }: { nodes?: readonly { id: string }[] | null | undefined },
  ctx: z.RefinementCtx,
): void {
  for (const { index, message } of duplicateIds(nodes ?? [])) {
    ctx.addIssue({ code: 'custom', path: ['nodes', index, 'id'], message });
  }
}

export function duplicateIds(nodes: readonly { id: string }[]): { index: number; message: string }[] {
  const firstIndexes = new Map<string, number>();
  const duplicates: { index: number; message: string }[] = [];
  for (const [index, { id }] of nodes.entries()) {
    const first = firstIndexes.get(keyOf(id));
    if (first === undefined) firstIndexes.set(keyOf(id), index);
    else duplicates.push({ index, message: `${id} is already used by nodes[${first}]` });
    if (duplicates.length === duplicatesAtMost) break;
  }
  return duplicates;
}

export const status = z.enum(['done', 'running', 'failed', 'claimed', 'submitted', 'blocked', 'ready']);
export type Status = z.output<typeof status>;

export const counts = z.object({
  done: z.int(),
  running: z.int(),
  failed: z.int(),
  claimed: z.int(),
  submitted: z.int(),
  blocked: z.int(),
  ready: z.int(),
});
export type Counts = z.output<typeof counts>;

export const planSource = z.enum(['api', 'file']);
export type PlanSource = z.output<typeof planSource>;

export const planSummary = z.object({
  slug: ours(z.string()),
  title: z.string(),
  repository: ours(z.string()).nullable(),
  archived: z.boolean(),
  nodes: z.int(),
  counts,
  ready: z.int(),
  claims: z.int(),
  budget: budget.nullable(),
  spent,
  source: planSource,
  updatedAt: z.string(),
});
export type PlanSummary = z.output<typeof planSummary>;

/** A node as it was authored; references of its own plan are short. */
export const authoredNode = z.object({
  id: ours(z.string()),
  title: z.string(),
  description: z.string().nullable(),
  repository: ours(z.string()).nullable(),
  labels: z.array(z.string()).readonly(),
  estimateMinutes: z.number().nullable(),
  maxAttempts: z.int().nullable(),
  priority: priority.nullable(),
  budget: budget.nullable(),
  touches: z.array(z.string()).readonly(),
  uses: z.array(z.string()).readonly(),
  dependsOn: z.array(ours(z.string())).readonly(),
  binding: binding.nullable(),
});

export const planView = z.object({
  slug: ours(z.string()),
  title: z.string(),
  description: z.string().nullable(),
  repository: ours(z.string()).nullable(),
  maxAttempts: z.int().nullable(),
  priority: priority.nullable(),
  maxClaims: z.int().nullable(),
  budget: budget.nullable(),
  archived: z.boolean(),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  source: planSource,
  nodes: z.array(authoredNode),
  edges: z.array(z.object({ from: ours(z.string()), to: ours(z.string()) })),
  order: z.array(ours(z.string())),
  dryRun: z.literal(true).optional().describe('Present if the plan was only checked'),
});
export type PlanView = z.output<typeof planView>;

/** Changes that the author of a plan has not seen yet. */
export const planBrief = z.object({
  slug: ours(z.string()),
  version: z.int(),
  nodes: z.int(),
  dependencies: z.int(),
  unbound: z.array(ours(z.string())).optional().describe('Nodes that nothing proves done'),
  dryRun: z.literal(true).optional(),
});

/** Reported by dispatch if a write contained members that only reads have. */
export const ignored = z.array(z.string()).optional().describe('Members that reads return but writes ignore');

const edge = z.object({ node: ours(z.string()), on: ours(z.string()) });

export const importReport = z.object({
  slug: ours(z.string()),
  created: z.boolean(),
  dryRun: z.boolean(),
  mode: z.enum(['full', 'seed']),
  skipped: z.literal('archived').nullable(),
  restored: z.literal(true).optional().describe('It was archived and is active again'),
  added: z.array(ours(z.string())),
  changed: z.array(z.object({ id: ours(z.string()), fields: z.array(ours(z.string())) })),
  removed: z.array(ours(z.string())),
  kept: z.array(ours(z.string())),
  unchanged: z.array(ours(z.string())),
  dependenciesAdded: z.array(edge),
  dependenciesRemoved: z.array(edge),
  version: z.int(),
  ignored,
});
export type ImportReport = z.output<typeof importReport>;

nameComponents({
  NodeCounts: counts,
  PlanSummary: planSummary,
  AuthoredNode: authoredNode,
  Plan: planView,
  ImportReport: importReport,
  NodeDocument: nodeDocument,
});
