import { z } from 'zod';
import { health } from '../../kernel/claim-view.ts';
import { ours } from '../../kernel/schema-marks.ts';
import { needKind } from '../needs/contract.ts';

const ref = ours(z.string()).describe('plan/node');

/** `report` has the notes and renewals of holders; it is included only on request. */
export const activityKind = z.enum(['plan', 'claim', 'report', 'evidence', 'sign_off', 'run', 'token', 'repository']);
export type ActivityKind = z.output<typeof activityKind>;

export const activityEntry = z
  .object({
    id: ours(z.string()),
    at: z.string(),
    kind: activityKind,
    type: ours(z.string()),
    says: z.string().describe('What happened, in one sentence'),
    by: z.string(),
    agent: z.string().nullable(),
    plan: ours(z.string()).nullable(),
    ref: ref.nullable(),
    repository: z.string().nullable(),
    runId: ours(z.string()).nullable(),
    href: z.string().describe('Its page'),
  })
  .meta({ id: 'Activity' });
export type ActivityEntry = z.output<typeof activityEntry>;

export const reportGroup = z.enum(['agent', 'person', 'repository', 'plan']);
export type ReportGroup = z.output<typeof reportGroup>;

export const figures = z.object({
  done: z.int().describe('Nodes that were proven and still are'),
  submitted: z.int().describe('Submitted'),
  failed: z.int().describe('Released as failed, or contradicted by evidence'),
  givenBack: z.int().describe('Released without being submitted'),
  expired: z.int().describe('Leases that ran out'),
  claims: z.int(),
  heldMs: z.int(),
  tokens: z.int().describe('Without tokens read from a cache'),
  runs: z.int(),
  runsFailed: z.int(),
  waitedMs: z.int().describe('Submitted and waiting for a person, or claimed by a session idle between turns'),
});
export type Figures = z.output<typeof figures>;

/** How a claim ended; `done`: submitted or held, and proven since. */
export const barEnd = z.enum(['live', 'done', 'submitted', 'failed', 'released', 'expired', 'removed']);
export type BarEnd = z.output<typeof barEnd>;

const bar = z.object({ ref, from: z.string(), to: z.string(), end: barEnd, agent: z.string() });
const wait = z.object({ ref, from: z.string(), to: z.string() });
const lane = z.object({ key: z.string(), bars: z.array(bar), waits: z.array(wait) });
export type Lane = z.output<typeof lane>;

const changedTest = z.object({ uid: z.string(), suite: z.string(), repositoryName: z.string().nullable() });
const titled = { ref, title: z.string() };

export const report = z
  .object({
    since: z.string(),
    until: z.string(),
    by: reportGroup,
    totals: figures,
    rows: z.array(figures.extend({ key: z.string().nullable().describe('Null: not attributed') })),
    working: z
      .array(
        z.object({ ...titled, agent: z.string(), person: z.string(), since: z.string(), until: z.string(), health }),
      )
      .describe('Live claims, the oldest first'),
    stuck: z.object({
      total: z.int(),
      first: z.array(
        z.object({
          kind: needKind,
          title: z.string(),
          detail: z.string(),
          ref: ref.nullable(),
          since: z.string().nullable(),
        }),
      ),
    }),
    done: z.array(z.object({ ...titled, agent: z.string().nullable(), at: z.string(), how: z.string() })),
    doneHow: z.record(z.string(), z.int()).describe('How many nodes each kind of proof proved'),
    awaited: z
      .array(
        z.object({
          ...titled,
          agent: z.string(),
          since: z.string(),
          person: z.boolean().describe('Whether a person decides'),
        }),
      )
      .describe('Submitted and not proven, the oldest first'),
    takenBack: z
      .array(
        z.object({
          ref,
          agent: z.string(),
          at: z.string(),
          how: z.enum(['expired', 'released', 'removed']),
          by: z.string(),
        }),
      )
      .describe('Claims that their holder did not end'),
    tests: z.object({ flaky: z.array(changedTest), mended: z.array(changedTest) }),
    first: z.array(z.object({ ...titled, why: z.string() })).describe('The first ready nodes'),
    lanes: z.array(lane).optional(),
    cut: z.boolean().describe('There were too many events; the oldest were left out'),
  })
  .meta({ id: 'Report' });
export type Report = z.output<typeof report>;
