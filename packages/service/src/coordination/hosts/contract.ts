import { z } from 'zod';
import { ours } from '../../kernel/schema-marks.ts';
import type { SharedTests } from '../../run-contract/test-history.ts';
import type { SessionFacts } from '../agents/session-state.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { RunSummary } from '../runs/contract.ts';
import type { RetriedTest } from '../runs/ports.ts';
import type { TreeChanges } from '../trees/overlaps.ts';

/** A run as its host shares it: enough for lists and totals over many runs. Its archive stays on that host. */
export type SharedRun = { run: RunSummary; retried: readonly RetriedTest[] };

/** The newest verdict of one scenario; only the console reads the rest of it. */
export type SharedVerdict = { identity: string; at: string; runId: string; receivedAt?: string | undefined };

/**
 * The facts that a host reports about itself. Its clock offset is shared when it has changed by a quarter of a second,
 * not at every heartbeat.
 */
export type SharedHost = {
  name: string;
  version: string;
  clockOffsetMs: number | null;
  /** Omitted by a host that noticed no change. */
  replaced?: ReplacedHistory;
};

/** The entries that the previous history had and this one lacks, if the store was found to have another history. */
export type ReplacedHistory = {
  at: string;
  events: number;
  tokens: number;
  signOffs: number;
  nodes: number;
  claims: number;
};

/** The body of each kind of shared item. Only the name of a model is shared; the model stays on the host where it was pushed. */
export type SharedByKind = {
  session: SessionFacts;
  tree: TreeFacts;
  /** The changes of a live working tree: paths and line numbers. */
  changes: TreeChanges;
  run: SharedRun;
  verdict: SharedVerdict;
  tests: SharedTests;
  model: { name: string };
  /** A repository of which this host has a local clone, `owner/name` in lower case. */
  clone: { repository: string };
  host: SharedHost;
};
export type SharedKind = keyof SharedByKind;

export const hostView = z.object({
  name: z.string(),
  self: z.boolean().describe('Whether it is the host that answers'),
  state: z.enum(['up', 'away']).describe('away: not heard from for 30 s'),
  version: z.string().nullable().describe('Null for a host of an older version'),
  url: z.string().nullable().describe('The address at which the other hosts reach it'),
  lastSeen: ours(z.string()).describe("By the store's clock"),
  lagMs: z.int().describe('Since its last heartbeat'),
  clockOffsetMs: z
    .int()
    .nullable()
    .describe("How far its clock is ahead of the database's; null without a database, or if not known yet"),
  sessions: z.int().describe('Its live agent sessions'),
  runs: z.int().describe('Runs in its archive'),
  via: z.literal('observer').optional().describe('Reported by an observer; not a host of the store'),
  enter: z
    .string()
    .optional()
    .describe('The command with which a person reaches it, if the observer was started with --enter'),
  duties: z.array(z.string()).describe('Tasks that only this host does, for all hosts'),
  reach: z.string().optional().describe('With probe: ok, or why the host that answers cannot reach it'),
});
export type HostView = z.output<typeof hostView>;
