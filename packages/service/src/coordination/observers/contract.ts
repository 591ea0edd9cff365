import { z } from 'zod';
import { tokens } from '../../kernel/claim-view.ts';
import { activity, sessionState } from '../agents/contract.ts';

const instant = z.iso.datetime();
const word = z.string().max(200);
const path = z.string().max(4096);

/** A session as an observer sees it, without the name of its host: that is the observer's own. Members of later versions are left out. */
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

/** At most this many sessions, and this many trees, are taken of one observer. */
export const maxObserved = 1_000;

export const observerName = z
  .string()
  .regex(/^[\w][\w.-]{0,62}$/)
  .describe('Its name on the board: letters, digits, dots, dashes');

export const observationBatch = z.strictObject({
  observer: observerName,
  life: z.uuid().describe('Drawn by each observer when it starts'),
  sequence: z.int().min(1).describe('1, then one more with each message of this life'),
  whole: z.boolean().optional().describe('Replaces everything this observer sent before'),
  sentAt: instant.describe("By the observer's clock"),
  version: word.optional(),
  enter: z.string().max(500).optional().describe('What a person types to get there: docker exec -it NAME, ssh HOST'),
  sessions: z.array(observedSession).max(maxObserved).optional(),
  goneSessions: z.array(z.string().max(200)).max(maxObserved).optional(),
  trees: z.array(observedTree).max(maxObserved).optional(),
  goneTrees: z.array(path).max(maxObserved).optional(),
  leaves: z.boolean().optional().describe('Its last message: it stops observing'),
});
export type ObservationBatch = z.output<typeof observationBatch>;

export const observationAnswer = z.object({
  resend: z.boolean().describe('Something in between is missing: send everything again'),
});
