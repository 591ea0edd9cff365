import { z } from 'zod';

const text = z.string().nullable();
const whole = z.int().nullable();
const instant = z.string().nullable().describe('ISO 8601, UTC');

export const runState = z.enum(['running', 'finished', 'orphaned']);

/** A run as lists, messages and other hosts show it; both ports answer it. */
export const runSummary = z
  .object({
    runId: z.string(),
    host: z.string(),
    suite: z.string(),
    repository: z.string().describe("The publisher's root path"),
    repositoryName: text.describe('owner/name found there'),
    branch: text,
    mode: z.string(),
    tag: text,
    session: text.describe('The agent session that started it'),
    command: text,
    commit: text.describe('The commit that was checked out'),
    dirty: z.boolean().nullable().describe('Whether tracked files differed from it'),
    interrupted: text.describe('The signal that ended it before its time'),
    state: runState,
    finished: z.boolean(),
    orphaned: z.boolean(),
    exitCode: whole,
    green: z
      .boolean()
      .nullable()
      .describe('Whether it ended well: counted passes and nothing worse. Null while it is live or not counted yet'),
    scenarios: z.int(),
    scenariosFinished: z.int(),
    totalScenarios: whole,
    running: z.int(),
    passed: z.int().describe('Clean passes'),
    failed: z.int().describe('Failed and aborted'),
    passedOnRetry: z.int(),
    skipped: z.int(),
    indeterminate: z.int(),
    lost: z.int().describe('Expected and never reported'),
    startedAt: instant,
    finishedAt: instant,
    lastEventAt: instant,
    expectedMs: whole.describe('Median of the last finished runs of this repository and suite'),
    counted: z
      .boolean()
      .describe(
        "False while its archive is still being read after a start; until then the publisher's own figures stand",
      ),
  })
  .meta({ id: 'RunSummary' });
export type RunState = z.output<typeof runState>;
export type RunSummary = z.output<typeof runSummary>;
