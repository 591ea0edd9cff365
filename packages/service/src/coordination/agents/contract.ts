import { z } from 'zod';
import { claimWithPrevious, correlation, health, linkedBy, tokens } from '../../kernel/claim-view.ts';
import { runSummary } from '../../kernel/run-summary.ts';
import { nameComponents, ours } from '../../kernel/schema-marks.ts';

const instant = z.iso.datetime();

export const sessionState = z.enum(['running', 'idle', 'gone', 'unknown']);
export type SessionState = z.output<typeof sessionState>;

export const activity = z.enum(['waiting', 'background_shell']);
export type Activity = z.output<typeof activity>;

export const sessionClaim = z.object({
  plan: ours(z.string()),
  node: ours(z.string()),
  agent: z.string(),
  health,
  correlation: correlation.nullable(),
  linkedBy: linkedBy.nullable(),
  expiresAt: instant,
});
export type SessionClaim = z.output<typeof sessionClaim>;

export const session = z.object({
  sessionId: z.string(),
  host: z.string(),
  via: z
    .enum(['observer', 'hooks'])
    .optional()
    .describe(
      'The source of the observation, if not the host itself: an observer there, or only the hooks of its tool',
    ),
  enter: z.string().optional().describe('The command with which a person reaches its host'),
  tool: z.string(),
  cwd: z.string().nullable(),
  launchCwd: z.string().nullable(),
  state: sessionState,
  /** Reason for the state: what the turn is doing, how it ended, or what is unknown. */
  reason: z.string(),
  activity: activity.nullable(),
  since: instant.nullable(),
  startedAt: instant.nullable(),
  lastActivityAt: instant.nullable(),
  branch: z.string().nullable(),
  repository: z.string().nullable(),
  /** Root path of its working tree; null outside git. */
  tree: z.string().nullable(),
  pid: z.int().nullable(),
  title: z.string().nullable(),
  /** True if the state was concluded from the transcript, not read from the tool's own registry. */
  inferred: z.boolean(),
  live: z.boolean().describe('The session is not gone; if its state is unknown, its process exists'),
  model: z.string().nullable(),
  tokens: tokens.nullable(),
  turns: z.int().nullable(),
  /** How full the model's context is, if the tool reports its size. */
  contextPercent: z.number().nullable(),
  claims: z.array(sessionClaim),
  overlaps: z.int().describe('Files that it and others change; list_overlaps lists them'),
});
export type Session = z.output<typeof session>;

export const treeOwner = z.object({
  sessionId: z.string(),
  agent: z.string(),
  claims: z.array(ours(z.string())),
  health,
});
export type TreeOwner = z.output<typeof treeOwner>;

export const tree = z.object({
  host: z.string(),
  root: z.string(),
  mainRoot: z.string().nullable(),
  repository: z.string().nullable(),
  branch: z.string().nullable(),
  /** True for a linked git worktree. */
  worktree: z.boolean(),
  onDisk: z.boolean(),
  sessions: z.array(z.string()),
  /** The sessions that are live. */
  live: z.array(z.string()),
  owners: z.array(treeOwner),
  contested: z.boolean(),
  needsCleanup: z.boolean(),
  changes: z.int().nullable().describe('Changed paths against the default branch; null if not live or not checked'),
  changesTruncated: z.boolean().describe('True if it changes more paths than are kept (5,000)'),
  overlaps: z.int().describe('How many of these paths other live trees or the default branch change too'),
});
export type Tree = z.output<typeof tree>;

export const unsavedWork = z.object({
  root: z.string(),
  /** Null if HEAD is detached: commits there belong to no branch. */
  branch: z.string().nullable(),
  uncommitted: z.array(
    z.object({
      change: z.string().describe('The letters of `git status --porcelain`: M, A, D, ??'),
      path: z.string(),
    }),
  ),
  uncommittedCount: z.int().describe('Total; `uncommitted` lists the first 100'),
  unpushed: z.array(z.object({ commit: z.string(), subject: z.string() })),
  unpushedCount: z.int().describe('Total; `unpushed` lists the first 100'),
  hasRemotes: z
    .boolean()
    .describe('False if nothing was ever pushed or fetched; `unpushed` then lists commits that no other branch has'),
  ignored: z
    .array(z.object({ path: z.string(), files: z.int(), bytes: z.int() }))
    .describe(
      'The first 100 ignored files and folders (the `path` of a folder ends with a slash), files first. Git removes them with the worktree without asking',
    ),
  ignoredFiles: z.int().describe('All ignored files, including those in ignored folders'),
  ignoredBytes: z.int(),
  ignoredCounted: z.boolean().describe('False if counting stopped at 20,000 files'),
});
export type UnsavedWork = z.output<typeof unsavedWork>;

export const source = z.object({ tool: z.string(), path: z.string(), ok: z.boolean(), detail: z.string().nullable() });
export type SourceStatus = z.output<typeof source>;

export const unlinkedClaim = claimWithPrevious.extend({ plan: ours(z.string()), node: ours(z.string()) });
export type UnlinkedClaim = z.output<typeof unlinkedClaim>;

/** Live sessions that share a repository, and the claims that could therefore not be linked to any of them. */
export const ambiguity = z.object({
  repository: z.string(),
  sessions: z.array(z.string()),
  claims: z.array(ours(z.string())),
});
export type Ambiguity = z.output<typeof ambiguity>;

export const board = z.object({
  sessions: z.array(session),
  trees: z.array(tree),
  unlinkedClaims: z.array(unlinkedClaim),
  ambiguous: z.array(ambiguity),
  observedAt: instant.nullable(),
  sources: z.array(source),
});
export type Board = z.output<typeof board>;

export const sessionDetail = session.extend({ runs: z.array(runSummary) });
export type SessionDetail = z.output<typeof sessionDetail>;

nameComponents({
  Session: session,
  Tree: tree,
  UnsavedWork: unsavedWork,
  UnlinkedClaim: unlinkedClaim,
  Board: board,
  SessionDetail: sessionDetail,
});
