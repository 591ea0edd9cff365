import { z } from 'zod';

const text = z.string().nullable();
const whole = z.int().nullable();
const share = z.number().min(0).max(1);
const outcome = z
  .enum(['CleanPass', 'PassOnRetry', 'Failed', 'Aborted', 'Skipped'])
  .nullable()
  .describe('null if the run ended without a verdict for this test');

/** How one run ended for one test. */
export const testVerdict = z.object({
  runId: z.string(),
  at: z.string().describe('When the run arrived'),
  branch: text,
  commit: text,
  outcome,
  durationMs: whole,
  attempts: z.int(),
});

const rates = {
  flipRate: share.describe('How often a verdict differs from the previous one on the same branch'),
  failRate: share.describe('How many of its verdicts are failures'),
  sinceRunId: text.describe('The first run of its current streak of failures; null if it does not fail'),
  sinceCommit: text,
};
const hosts = {
  thisHostOnly: z
    .literal(true)
    .optional()
    .describe('Only runs of the host that answers: the suite is too large to be shared with the others'),
};

export const testHistory = z
  .object({ items: z.array(testVerdict).readonly().describe('Newest first'), ...rates, ...hosts })
  .meta({ id: 'TestHistory' });

export const testSummary = z
  .object({
    repository: z.string(),
    repositoryName: text,
    suite: z.string(),
    uid: z.string(),
    runs: z.int().describe('Its known runs, among at most the newest 50 of its suite'),
    suiteRuns: z.int().describe('Runs of its suite that were examined'),
    retried: z.int().describe('How many of these runs retried it'),
    ...rates,
    sinceAt: text,
    lastRunId: z.string(),
    lastAt: z.string(),
    medianMs: whole,
    recent: z.array(outcome).readonly().describe('Its last verdicts, newest first'),
    reasons: z.array(z.string()).readonly().describe('Why it was retried'),
    ...hosts,
  })
  .meta({ id: 'TestSummary' });

/** `flaky`: those whose verdicts change or that were retried; `failing`: those that fail now, newest first. */
export const testOrder = z.enum(['flaky', 'failing', 'slowest']);

export type TestVerdict = z.output<typeof testVerdict>;
export type TestHistoryView = z.output<typeof testHistory>;
export type TestSummary = z.output<typeof testSummary>;
export type TestOrder = z.output<typeof testOrder>;

/** Tests whose flakiness began or ended. */
export type ChangedTest = Pick<TestSummary, 'uid' | 'suite' | 'repositoryName'>;
export type TestChanges = { flaky: readonly ChangedTest[]; mended: readonly ChangedTest[] };

export const testHistoryInput = z.strictObject({
  uid: z.string().min(1).describe('The test, as its runs name it'),
  repository: z.string().optional().describe('Root path or owner/name'),
  suite: z.string().optional(),
  limit: z
    .int()
    .min(1)
    .max(1000)
    .default(200)
    .describe('How many of the newest runs; with several hosts at most the newest 50 of each'),
});
export type TestHistoryQuery = z.output<typeof testHistoryInput>;

/** The results of the tests of one run, in the form that hosts share. The archive stays on its host. */
export type SharedTests = {
  runId: string;
  at: string;
  branch: string | null;
  commit: string | null;
  /** The repository's id, else its path. */
  repository: string | null;
  repositoryName: string | null;
  path: string | null;
  suite: string | null;
  /** A line for each test: outcome, milliseconds, attempts, name, and why it was retried. */
  verdicts: string;
  /** Set instead of runs if the suite is too large to be shared. */
  isTooLarge?: true;
};
