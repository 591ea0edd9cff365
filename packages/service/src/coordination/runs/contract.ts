import { z } from 'zod';
import { runSummary } from '../../kernel/run-summary.ts';
import { ours } from '../../kernel/schema-marks.ts';

export { type RunSummary, runSummary } from '../../kernel/run-summary.ts';

const text = z.string().nullable();
const wholeNumber = z.int().nullable();

/** The members of a scenario that coordination itself reads; it passes on all the others. */
export const scenario = z.looseObject({
  uid: z.string(),
  feature: z.string(),
  scenario: z.string(),
  outcome: z.enum(['CleanPass', 'PassOnRetry', 'Failed', 'Aborted', 'Skipped']).nullable(),
  attempt: z.int(),
  attempts: wholeNumber,
  errorMessage: text,
  retryReasons: z.array(z.string()),
  file: text.optional(),
  line: wholeNumber.optional(),
  steps: z.array(
    z.looseObject({ text: z.string(), status: z.string(), errorMessage: text, stackTrace: text.optional() }),
  ),
});

export const runDetail = z
  .object({
    run: runSummary,
    scenarios: z.array(scenario),
    lanes: z.array(z.looseObject({})),
    recycles: z.array(z.looseObject({})),
    workerFaults: z.array(z.looseObject({ fault: z.string() })),
    stalls: z.array(z.looseObject({})),
    progress: z.looseObject({}).nullable(),
  })
  .meta({ id: 'RunDetail' });

export const failingTests = z.object({
  runId: ours(z.string()),
  suite: z.string(),
  state: ours(z.string()),
  groups: z.array(
    z.object({
      signature: z.string(),
      count: z.int(),
      tests: z.array(z.object({ uid: z.string(), file: text, line: wholeNumber, message: text })),
    }),
  ),
});

export const flakyTest = z.object({
  uid: z.string(),
  suite: z.string(),
  repositoryName: text,
  runs: z.int().describe('Known runs of this suite'),
  retried: z.int().describe('How many of these runs retried it'),
  flipRate: z.number().describe('How often a verdict differs from the previous one on the same branch'),
  lastRunId: ours(z.string()),
  reasons: z.array(z.string()),
  thisHostOnly: z.literal(true).optional().describe('The suite is too large to be shared between hosts'),
});

export type ScenarioView = z.output<typeof scenario>;
export type RunDetail = z.output<typeof runDetail>;
export type FailingTests = z.output<typeof failingTests>;
export type FlakyTest = z.output<typeof flakyTest>;
