import { z } from 'zod';
import { ours } from '../../kernel/schema-marks.ts';

export const overlapKind = z
  .enum(['same_lines', 'same_file', 'behind'])
  .describe(
    '`same_lines`: hunks touch, or a path is new in both; `same_file`: live trees change one path; `behind`: the default branch has since changed a path of the tree',
  );

const overlapTree = z.object({
  host: z.string(),
  root: z.string(),
  branch: z.string().nullable(),
  sessions: z.array(z.string()).describe('Live sessions in it'),
  claims: z.array(ours(z.string())),
});

const repository = z.string().describe('owner/name; the path of the main working tree if it has no remote');

/** One for each path and set of trees, with the strongest kind. */
export const overlap = z
  .object({ repository, path: z.string(), kind: overlapKind, trees: z.array(overlapTree), since: z.string() })
  .meta({ id: 'Overlap' });
export type Overlap = z.output<typeof overlap>;
export const overlaps = z.object({ items: z.array(overlap) });

const changedFile = z.object({
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted']),
  lines: z.int().nullable().describe('Changed lines; null for binary files, submodules and untracked files'),
  ranges: z
    .array(z.object({ after: z.int(), to: z.int() }))
    .describe(
      'Lines it changes, numbered in the common version: after line `after`, up to line `to`; equal numbers mean a pure insertion',
    ),
  behind: z.boolean().describe('The default branch has since changed it too'),
});

const changedTree = overlapTree.extend({
  agents: z.array(z.string()).describe('The holders of its claims'),
  tools: z.array(z.string()).describe('Agent tools of its live sessions'),
  changesTruncated: z.boolean().describe('Only the first 5,000 changed paths are listed'),
  filesTotal: z.int().describe('How many files it changes, including those that `limit` left out'),
  files: z.array(changedFile).describe('Overlapping files first, then by path'),
});

export const repositoryChanges = z.object({
  repository,
  defaultBranch: z.string().nullable(),
  trees: z.array(changedTree),
});
export type RepositoryChanges = z.output<typeof repositoryChanges>;
export const changes = z.object({ items: z.array(repositoryChanges) });

const rehearsedTree = overlapTree.extend({
  uncommitted: z.int().describe('Files with uncommitted changes, which the rehearsal leaves out'),
});

export const mergeRehearsal = z.object({
  repository,
  trees: z.array(rehearsedTree).describe('The two trees'),
  result: z.enum(['clean', 'conflicts', 'unknown']),
  reason: z.string().nullable().describe('Why the result is unknown'),
  conflicts: z.array(z.string()).describe('Files that would conflict today'),
});
export type MergeRehearsal = z.output<typeof mergeRehearsal>;
export const mergeRehearsals = z.object({
  items: z.array(mergeRehearsal),
  left: z.int().describe('Pairs that were not rehearsed: one call takes at most 20 pairs and 30 s'),
});
export type MergeRehearsals = z.output<typeof mergeRehearsals>;

/** The files that others change too, in the answer to a claim or report. */
export const claimOverlap = z.object({
  path: z.string(),
  kind: overlapKind,
  with: z.string().describe('plan/node or branch'),
});
export type ClaimOverlap = z.output<typeof claimOverlap>;
