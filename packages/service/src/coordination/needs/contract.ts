import { z } from 'zod';
import { nameComponents, ours } from '../../kernel/schema-marks.ts';
import { type NeedKind, needOrder } from './need.ts';

export type { NeedKind };
export const needKind = z.enum(needOrder);

export const need = z.object({
  kind: needKind,
  /** Identifies the need; it stays the same until the need ends. */
  key: z.string(),
  title: z.string(),
  /** What happened, in one sentence. */
  detail: z.string(),
  since: z.string().nullable(),
  host: z.string().nullable(),
  agent: z.string().nullable(),
  who: z.string().nullable().describe('The person it is addressed to'),
  /** True if the session was only inferred. */
  possibly: z.boolean(),
  ref: ours(z.string()).nullable().describe('plan/node'),
  sessionId: z.string().nullable(),
  tool: z.string().nullable(),
  runId: ours(z.string()).nullable(),
  root: z.string().nullable().describe('Root path of the working tree'),
  url: z.string().nullable(),
  command: z.string().nullable().describe('The next command for a person to type on that host'),
});
export type Need = z.output<typeof need>;

const counts = z.object({
  sessions: z.int().describe('Live agent sessions'),
  waiting: z.int().describe('Live sessions that wait for an answer or a permission'),
  claimed: z.int().describe('Nodes under a live lease'),
  troubledClaims: z.int().describe('Claims that are orphaned or stalled'),
  ready: z.int().describe('Nodes that can be claimed now: dependencies done, no holder, not failed'),
  liveRuns: z.int(),
});

export const heldNode = z.object({ ref: z.string(), title: z.string(), expiresAt: z.string() });
export type HeldNode = z.output<typeof heldNode>;

export const needs = z.object({
  needs: z.array(need),
  counts,
  mine: z.int().optional().describe('How many of the needs concern the person asked for; they come first'),
  claims: z.array(heldNode).optional().describe('Claims of the person asked for, the next to expire first'),
});
export type Needs = z.output<typeof needs>;

nameComponents({ Need: need, Needs: needs });
