import { z } from 'zod';
import { ours } from './schema-marks.ts';

const text = z.string().nullable();
const whole = z.int().nullable();
const instant = z.string().nullable().describe('ISO 8601, UTC');

/** `named`: a named token; `local`: the operator's token, or no token where none is required; `open`: no token where one is set. */
export const runTrust = z.enum(['named', 'local', 'open']);
export const runState = z.enum(['running', 'finished', 'orphaned', 'unreadable']);

/** A run as lists, messages and other hosts show it; both ports return it. */
export const runSummary = z
  .object({
    runId: ours(z.string()),
    host: ours(z.string()),
    suite: z.string(),
    repository: z.string().describe("The publisher's root path"),
    repositoryName: text.describe('owner/name found there'),
    repositoryId: text.describe(
      'Name that is the same in every clone: the remote, otherwise the package; after # the folder of the package. Part of the identity of a suite',
    ),
    branch: text,
    mode: z.string(),
    tag: text,
    session: text.describe('The agent session that started it'),
    command: text,
    commit: text.describe('The commit that was checked out'),
    dirty: z.boolean().nullable().describe('Whether tracked files differed from it'),
    interrupted: text.describe('The signal that ended it early'),
    state: runState.describe('`unreadable`: its archive cannot be read; it proves nothing and blocks nothing'),
    finished: z.boolean(),
    orphaned: z.boolean(),
    exitCode: whole,
    green: z
      .boolean()
      .nullable()
      .describe(
        'Whether it ended with passes and nothing worse. Null while it is live, if only missing verdicts keep it from being green, and if it is unreadable',
      ),
    scenarios: z.int(),
    scenariosFinished: z.int(),
    totalScenarios: whole,
    running: z.int(),
    passed: z.int().describe('Clean passes'),
    failed: z.int().describe('Failed and aborted'),
    passedOnRetry: z.int(),
    skipped: z.int(),
    indeterminate: z.int(),
    lost: z.int().describe('Expected but never reported'),
    publisher: text.describe('The name of the token that started it'),
    trust: runTrust.describe('How far its publisher is trusted; an `open` run proves nothing'),
    startedAt: instant,
    finishedAt: instant,
    receivedAt: instant.describe(
      "When its first event arrived, by the console's clock; the newest run is the one received last",
    ),
    endedAt: instant.describe('When its end arrived'),
    clockSkewMs: whole.describe(
      "How far the publisher's clock is ahead, if over five minutes; arrival times are then shown instead of its own",
    ),
    late: z.int().describe('Events that arrived after its end and changed nothing'),
    lastEventAt: instant,
    expectedMs: whole.describe('Median duration of the last finished runs of this repository and suite'),
    counted: z
      .union([z.boolean(), z.literal('figures')])
      .describe(
        "Whether its tests were counted; `figures`: it ended without individual verdicts and is judged by its publisher's closing figures; false for an unreadable run",
      ),
  })
  .meta({ id: 'Run' });
export type RunState = z.output<typeof runState>;
export type RunSummary = z.output<typeof runSummary>;
export type RunTrust = z.output<typeof runTrust>;

/** Who sent a batch of events: the token's name, if it has one, and how far it is trusted. Set by admission. */
export type RunOrigin = {
  publisher: string | null;
  trust: RunTrust;
  /** The trace in which it was sent, if any. */
  traceparent?: string;
};
/** A sender with its address, which quotas use for senders without a name. */
export type RunSender = RunOrigin & {
  address: string;
  /** The one run that it may publish to, if its token is for that run alone. */
  onlyRun?: string | undefined;
};
