import { z } from 'zod';
import { runSummary } from '../../kernel/run-summary.ts';

export { type RunState, type RunSummary, runState, runSummary } from '../../kernel/run-summary.ts';

const text = z.string().nullable();
const whole = z.int().nullable();
const instant = z.string().nullable().describe('ISO 8601, UTC');

const outcome = z.enum(['CleanPass', 'PassOnRetry', 'Failed', 'Aborted', 'Skipped']);

const cell = z.looseObject({ name: text.optional(), status: text.optional() });
const step = z.object({
  stepId: z.string(),
  kind: z.string(),
  text: z.string(),
  status: z.string(),
  durationMs: whole,
  errorMessage: text,
  stepNumber: whole,
  logs: z.array(z.string()).readonly(),
  cells: z.array(cell).readonly(),
  progress: z.object({ message: text, row: whole, totalRows: whole, elapsedMs: whole }).nullable(),
  columns: z.array(z.string()).readonly(),
  values: z.array(z.looseObject({})).readonly(),
  diagnostics: z.record(z.string(), text).readonly().nullable(),
  exceptionType: text,
  stackTrace: text,
  stackFrames: z.array(z.string()).readonly(),
  hiddenStackFrames: z.int(),
  declaredStepNumber: whole,
  plannedStepNumber: whole,
  parentStepNumber: whole.describe('The enclosing step'),
  startMs: whole.describe('When it began, counted from the start of its attempt'),
});
const touchedType = z.looseObject({
  name: text.optional(),
  fullName: text.optional(),
  assemblyName: text.optional(),
});

/** An error of a test, of a hook or of a file. */
const errorDetail = z.looseObject({
  message: text.optional(),
  name: text.optional(),
  stack: text.optional(),
  expected: text.optional(),
  actual: text.optional(),
  cause: text.optional().describe('The causes of this error'),
  place: z
    .looseObject({ file: text.optional(), line: whole.optional(), column: whole.optional() })
    .nullable()
    .optional(),
  frame: z
    .looseObject({ start: whole.optional(), lines: z.array(z.string()).readonly().nullable().optional() })
    .nullable()
    .optional(),
});
const verdictDetails = {
  errors: z.array(errorDetail).readonly().describe('All errors; errorMessage is the first one'),
  skipReason: text,
  todo: z.boolean(),
  stdout: z.array(z.string()).readonly(),
  stderr: z.array(z.string()).readonly(),
  stdoutMs: z
    .array(z.int())
    .readonly()
    .describe('When each line was printed, counted from the start of the attempt; empty if unknown'),
  stderrMs: z.array(z.int()).readonly(),
};

export const scenarioView = z
  .object({
    uid: z.string(),
    feature: z.string(),
    scenario: z.string(),
    outcome: outcome.nullable().describe('null while it runs'),
    attempt: z.int(),
    attempts: whole,
    durationMs: whole,
    errorMessage: text,
    retryReasons: z.array(z.string()),
    steps: z.array(step),
    touchedTypes: z.array(touchedType).readonly(),
    startedAt: instant,
    finishedAt: instant,
    lane: whole.describe('The lane it ran in, where known'),
    state: text.describe('The state that a foreign runner gave the test'),
    attemptsHistory: z.array(
      z.object({
        attempt: z.int(),
        outcome,
        durationMs: whole,
        errorMessage: text,
        disposition: text,
        reason: text,
        startedAt: instant,
        finishedAt: instant,
        lane: whole,
        steps: z.array(step),
        ...verdictDetails,
      }),
    ),
    totalSteps: whole,
    declaredSteps: z.array(z.looseObject({})).readonly(),
    plannedSteps: z.array(z.looseObject({})).readonly(),
    reports: z.array(z.looseObject({})).readonly(),
    file: text.describe('Its source file, relative to the repository'),
    line: whole,
    column: whole,
    project: text.describe("The runner's project, where it has several"),
    path: z.array(z.string()).readonly().describe('The titles of its groups, then its own title'),
    order: whole.describe('Its position among the tests of its file'),
    tags: z.array(z.string()).readonly(),
    ...verdictDetails,
    rerun: text.describe('The command that runs it again'),
    attachments: z
      .array(
        z.object({
          attempt: z.int(),
          name: z.string(),
          mediaType: z.string(),
          size: z.int(),
          sha256: z.string(),
          stored: z.boolean().describe('Whether its content can be read'),
          reason: text,
        }),
      )
      .readonly(),
    expectedMs: whole,
  })
  .meta({ id: 'Scenario' });

export const runDetail = z
  .object({
    run: runSummary,
    scenarios: z.array(scenarioView),
    lanes: z.array(
      z.object({
        lane: z.int(),
        participant: text.describe('The process it belongs to, where several publish the run'),
        status: z.enum(['running', 'finished', 'crashed']),
        passes: z.int(),
        uids: z.array(z.string()).readonly(),
        running: z.array(z.string()),
        startedAt: instant,
        finishedAt: instant,
        outcomes: whole,
        processId: whole,
        purpose: text,
      }),
    ),
    recycles: z.array(z.object({ resource: z.string(), at: instant })),
    workerFaults: z.array(
      z.object({
        lane: whole,
        fault: z.string(),
        exitCode: whole,
        standardError: text,
        at: instant,
        participant: text,
      }),
    ),
    stalls: z.array(
      z.object({
        uid: z.string(),
        displayName: z.string(),
        inFlightMs: z.int(),
        lane: whole,
        processId: whole,
        at: instant,
        participant: text,
      }),
    ),
    participants: z
      .array(
        z.object({
          participant: z.string(),
          due: whole.describe('How many there are in the whole run'),
          totalScenarios: whole,
          processId: whole,
          startedAt: instant,
          finishedAt: instant,
          exitCode: whole,
          interrupted: text,
        }),
      )
      .describe('The processes that publish this run, where there are several'),
    progress: z
      .object({
        elapsedMs: z.int(),
        completed: whole,
        total: whole,
        inFlight: whole,
        longestRunningUid: text,
        longestRunningDisplayName: text,
        longestRunningMs: whole,
        peakWorkerRssBytes: whole,
        at: instant,
      })
      .nullable(),
  })
  .meta({ id: 'RunDetail' });

export const ingestAnswer = z
  .object({
    accepted: z.int().describe('Folded'),
    ignored: z.int().describe('Archived only'),
    rejected: z.array(z.object({ index: z.int(), message: z.string() })),
  })
  .meta({ id: 'IngestAnswer' });

export type ScenarioView = z.output<typeof scenarioView>;
export type StepView = ScenarioView['steps'][number];
export type RunDetail = z.output<typeof runDetail>;
export type IngestAnswer = z.output<typeof ingestAnswer>;
