import { z } from 'zod';
import { tokens } from '../../kernel/claim-view.ts';
import { activity, sessionState } from '../agents/contract.ts';
import { type ChangedPath, maxPaths, maxRanges } from '../trees/changes.ts';

const instant = z.iso.datetime();
const word = z.string().max(200);
const path = z.string().max(4096);

/**
 * A session as an observer sees it, without a host name, because that is the observer's own name. Members of later
 * versions are dropped.
 */
export const observedSession = z.object({
  sessionId: z.string().min(1).max(200),
  tool: word,
  cwd: path.nullable(),
  launchCwd: path.nullable(),
  state: sessionState,
  reason: word,
  activity: activity.nullable(),
  since: instant.nullable(),
  startedAt: instant.nullable(),
  lastActivityAt: instant.nullable(),
  branch: path.nullable(),
  repository: path.nullable(),
  tree: path.nullable(),
  pid: z.int().nullable(),
  title: path.nullable(),
  inferred: z.boolean(),
  live: z.boolean(),
  model: word.nullable(),
  tokens: tokens.nullable(),
  turns: z.int().nullable(),
  contextPercent: z.number().nullable(),
  processes: z.int().min(0).max(10_000),
});
export type ObservedSession = z.output<typeof observedSession>;

const sessionIds = z.array(z.string().max(200)).max(1_000);

export const observedTree = z.object({
  root: path,
  mainRoot: path.nullable(),
  repository: path.nullable(),
  branch: path.nullable(),
  worktree: z.boolean(),
  onDisk: z.boolean(),
  sessions: sessionIds,
  live: sessionIds,
  contested: z.boolean(),
  needsCleanup: z.boolean(),
});
export type ObservedTree = z.output<typeof observedTree>;

const changedPath = z.object({
  path,
  change: z.enum(['added', 'modified', 'deleted']),
  lines: z.int().min(0).nullable(),
  in: z
    .array(
      z.object({
        text: z.string().max(64).describe('Abbreviated object id of the file version that the line numbers refer to'),
        ranges: z.array(z.tuple([z.int().min(0), z.int().min(0)])).max(maxRanges),
      }),
    )
    .max(2),
  since: instant,
  behindSince: instant.nullable(),
});

/** The changes of a working tree: paths and line numbers, no contents. */
export const observedTreeChanges = z.object({
  root: path,
  repository: path,
  branch: path.nullable(),
  defaultBranch: path.nullable(),
  ignoresCase: z.boolean(),
  truncated: z.boolean(),
  paths: z.array(changedPath).max(maxPaths).describe('Entries that are new or changed since the last message'),
  gonePaths: z.array(path).max(maxPaths).optional(),
});
export type ObservedTreeChanges = Omit<z.output<typeof observedTreeChanges>, 'paths'> & {
  paths: readonly ChangedPath[];
};

/** The maximum number of sessions, and of trees, accepted from one observer. */
export const maxObserved = 1_000;

export const observerName = z
  .string()
  .regex(/^[\w][\w.-]{0,62}$/)
  .describe('Its name on the board: letters, digits, dots, dashes');

/** Members of later versions are dropped here too. */
export const observationBatch = z.object({
  observer: observerName,
  life: z.uuid().describe('A random id that an observer chooses when it starts'),
  sequence: z.int().min(1).describe('1 for the first message after the observer started, then counting up'),
  whole: z.boolean().optional().describe('Replaces everything this observer sent before'),
  sentAt: instant.describe("By the observer's clock"),
  version: word.optional(),
  enter: z
    .string()
    .max(500)
    .optional()
    .describe('The command with which a person reaches this machine: docker exec -it NAME, ssh HOST'),
  sessions: z.array(observedSession).max(maxObserved).optional(),
  goneSessions: z.array(z.string().max(200)).max(maxObserved).optional(),
  trees: z.array(observedTree).max(maxObserved).optional(),
  goneTrees: z.array(path).max(maxObserved).optional(),
  changes: z.array(observedTreeChanges).max(maxObserved).optional(),
  goneChanges: z.array(path).max(maxObserved).optional().describe('Trees whose changes are no longer known'),
  leaves: z.boolean().optional().describe("The observer's last message: it stops observing"),
});
export type ObservationBatch = Omit<z.output<typeof observationBatch>, 'changes'> & {
  changes?: readonly ObservedTreeChanges[] | undefined;
};

export const observationAnswer = z.object({
  resend: z.boolean().describe('A message is missing: send everything again'),
});

/** An observer as stored while the service is not running: without changed paths, which it sends again. */
export const rememberedObserver = z.object({
  name: observerName,
  version: word.nullable(),
  enter: z.string().nullable(),
  clockOffsetMs: z.number(),
  lastSeen: instant,
  sessions: z.array(observedSession),
  trees: z.array(observedTree),
});
export type RememberedObserver = z.output<typeof rememberedObserver>;
